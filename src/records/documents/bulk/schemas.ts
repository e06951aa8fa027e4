import { Type } from 'typebox';
import { maxFiles } from './plan.ts';

export const downloadManyBody = Type.Object(
  {
    documentIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: maxFiles, uniqueItems: true, description: 'These documents' }),
    ),
    folderId: Type.Optional(
      Type.String({ maxLength: 64, description: 'All in this folder, and in the folders in it that are open to the caller' }),
    ),
  },
  { minProperties: 1, maxProperties: 1 },
);
