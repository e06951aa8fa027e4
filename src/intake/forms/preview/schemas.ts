import { type Static, Type } from 'typebox';

export const preview = Type.Object(
  {
    previewToken: Type.String({ description: 'Gives access to the draft until it expires. Only this response has it' }),
    previewUrl: Type.String({ format: 'uri', description: 'The page of the draft' }),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'A day from now; earlier after another preview, or if its creator loses the right to edit the interface',
    }),
  },
  { title: 'InterfacePreview' },
);
export type Preview = Static<typeof preview>;
