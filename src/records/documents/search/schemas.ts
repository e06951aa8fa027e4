import { type Static, Type } from 'typebox';
import { document, labelFilter } from '../schemas.ts';

const parts = (description: string) =>
  Type.Array(Type.Object({ text: Type.String(), match: Type.Boolean({ description: 'True if the piece matches the search' }) }), {
    description,
  });

export const hit = Type.Object(
  {
    document,
    title: parts('The title in pieces of plain text. Escape each piece before you show it on a page'),
    passage: Type.Optional(parts('The text around the match, in pieces; absent for a match in the title')),
  },
  { title: 'DocumentHit' },
);
export type Hit = Static<typeof hit>;

export const searchQuery = {
  q: Type.String({
    minLength: 2,
    maxLength: 200,
    description: 'Words, "a phrase", or, and -without, as in a web search. From three characters on a part of a title also matches',
  }),
  label: labelFilter,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '20 by default; the next page is in the Link header' })),
  cursor: Type.Optional(Type.String({ maxLength: 400, description: 'The start of the page, from the Link header of the previous page' })),
};
