import { type Static, Type } from 'typebox';

const data = Type.Record(Type.String(), Type.Unknown(), { description: 'Answers so far, by the ids of their fields' });
const locale = Type.Optional(
  Type.String({ maxLength: 35, description: 'The language of the email and of errors; by default that of `Accept-Language`' }),
);

export const draftBody = Type.Object(
  {
    data,
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The version of the form that is answered; the current one without it' }),
    ),
    revision: Type.Optional(Type.Integer({ minimum: 1, description: 'Of the draft that is replaced; without it whichever there is' })),
    altcha: Type.Optional(Type.Unknown({ description: 'The proof of work that begins a session, where the form asks for one' })),
  },
  { additionalProperties: false },
);
export type DraftBody = Static<typeof draftBody>;

export const linkBody = Type.Object(
  { email: Type.String({ maxLength: 254, description: 'Where the link is sent' }), locale },
  { additionalProperties: false },
);
export const resumeBody = Type.Object(
  { draft: Type.String({ maxLength: 64, description: 'The secret of the emailed link: the text after `/draft/`' }) },
  { additionalProperties: false },
);

export const draft = Type.Object(
  {
    data,
    version: Type.Integer({ description: 'The version of the form that is answered' }),
    revision: Type.Integer({ description: 'Counts how often it was kept' }),
    updatedAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time', description: 'When it ends, unless it is kept once more' }),
  },
  { title: 'SubmissionDraft', additionalProperties: false },
);
export type DraftView = Static<typeof draft>;

export const linkSent = Type.Object(
  {
    mail: Type.Enum(['queued', 'skipped'], {
      description: '`skipped`: the address gets no more mails for now, or the link to this draft was mailed 5 times',
    }),
  },
  { title: 'DraftLink', additionalProperties: false },
);
