import { type Static, Type } from 'typebox';
import { versionNumber } from '../schemas.ts';

export const maxChanges = 500;
/** Characters of one change on each side, and of what stands around it. */
export const maxCharacters = 2_000;
export const around = 60;

export const compareQuery = Type.Object({
  from: Type.Integer({ ...versionNumber, description: 'The version that is compared' }),
  to: Type.Optional(Type.Integer({ ...versionNumber, description: 'The version that it is compared with; the newest by default' })),
});

const text = (description: string) => Type.String({ description });

export const comparison = Type.Object(
  {
    documentId: Type.String(),
    from: Type.Integer({ description: 'The number of the version that was compared' }),
    to: Type.Integer({ description: 'The number of the version that it was compared with' }),
    changed: Type.Integer({ description: `How many changes there are; \`changes\` has the first ${maxChanges}` }),
    changes: Type.Array(
      Type.Object({
        removed: Type.Optional(text('What stands in `from` alone')),
        added: Type.Optional(text('What stands in `to` alone')),
        before: text('What stands before it in both'),
        after: text('What stands behind it in both'),
        cut: Type.Optional(Type.Literal(true, { description: `It is longer than the ${maxCharacters} characters that are shown` })),
      }),
      { description: 'In the order of the text' },
    ),
    partial: Type.Optional(
      Type.Literal(true, {
        description: 'A text is longer than the 500 000 characters that are looked at: what lies behind is not compared',
      }),
    ),
  },
  { title: 'DocumentComparison' },
);
export type Comparison = Static<typeof comparison>;
