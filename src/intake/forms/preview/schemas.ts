import { type Static, Type } from 'typebox';

export const preview = Type.Object(
  {
    previewToken: Type.String({ description: 'Shows the draft to whoever has it, until it expires. It is shown only now' }),
    previewUrl: Type.String({ format: 'uri', description: 'The page of the draft' }),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'A day from now; another preview ends it before, and so does it that who made it may not edit the interface any more',
    }),
  },
  { title: 'InterfacePreview' },
);
export type Preview = Static<typeof preview>;
