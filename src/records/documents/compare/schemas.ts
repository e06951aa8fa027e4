import { type Static, Type } from 'typebox';
import { versionNumber } from '../schemas.ts';

export const maxChanges = 500;
/** Maximum characters of each side of a change, and of the text around it. */
export const maxCharacters = 2_000;
export const around = 60;

export const compareQuery = Type.Object({
  from: Type.Integer({ ...versionNumber, description: 'The first version of the comparison' }),
  to: Type.Optional(Type.Integer({ ...versionNumber, description: 'The second version of the comparison; the newest by default' })),
});

const text = (description: string) => Type.String({ description });

export const comparison = Type.Object(
  {
    documentId: Type.String(),
    from: Type.Integer({ description: 'The number of the first version' }),
    to: Type.Integer({ description: 'The number of the second version' }),
    changed: Type.Integer({ description: `The number of changes; \`changes\` has the first ${maxChanges}` }),
    changes: Type.Array(
      Type.Object({
        removed: Type.Optional(text('The text only in `from`')),
        added: Type.Optional(text('The text only in `to`')),
        before: text('The common text before the change'),
        after: text('The common text after the change'),
        cut: Type.Optional(Type.Literal(true, { description: `The change is longer than the ${maxCharacters} characters shown` })),
      }),
      { description: 'In the order of the text' },
    ),
    partial: Type.Optional(
      Type.Literal(true, {
        description: 'A text is longer than the 500 000 characters that are compared',
      }),
    ),
  },
  { title: 'DocumentComparison' },
);
export type Comparison = Static<typeof comparison>;
