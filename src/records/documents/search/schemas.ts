import { type Static, Type } from 'typebox';
import { document, labelFilter } from '../schemas.ts';

const parts = (description: string) =>
  Type.Array(Type.Object({ text: Type.String(), match: Type.Boolean({ description: 'Whether it is what was looked for' }) }), {
    description,
  });

export const hit = Type.Object(
  {
    document,
    title: parts('The title in pieces. They are text, never markup: a page escapes each and wraps what matches'),
    passage: Type.Optional(parts('What stands around it in the text, in the same way; absent where it was found in the title')),
  },
  { title: 'DocumentHit' },
);
export type Hit = Static<typeof hit>;

export const searchQuery = {
  q: Type.String({
    minLength: 2,
    maxLength: 200,
    description:
      'Words; "a phrase", or, and -without are read as in a search on the web. A part of a title is found from three characters on',
  }),
  label: labelFilter,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '20 by default; the next page is in the Link header' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 400, description: 'Where the page begins: taken from the Link header of the page before' }),
  ),
};
