import { Type } from 'typebox';
import { maxFiles } from './plan.ts';

export const downloadManyBody = Type.Object(
  {
    documentIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: maxFiles, uniqueItems: true, description: 'These documents' }),
    ),
    folderId: Type.Optional(Type.String({ maxLength: 64, description: 'All documents in this folder and in its accessible subfolders' })),
  },
  { minProperties: 1, maxProperties: 1 },
);
