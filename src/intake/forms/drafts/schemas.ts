import { type Static, Type } from 'typebox';

const data = Type.Record(Type.String(), Type.Unknown(), { description: 'The saved answers, by the ids of their fields' });
const locale = Type.Optional(
  Type.String({ maxLength: 35, description: 'The language of the email and of errors; by default that of `Accept-Language`' }),
);

export const draftBody = Type.Object(
  {
    data,
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'The submitted version of the form; the current one by default' })),
    revision: Type.Optional(Type.Integer({ minimum: 1, description: 'The revision to replace; without it any revision is replaced' })),
    altcha: Type.Optional(Type.Unknown({ description: 'The proof of work to start a session, if the form requires one' })),
  },
  { additionalProperties: false },
);
export type DraftBody = Static<typeof draftBody>;

export const linkBody = Type.Object(
  { email: Type.String({ maxLength: 254, description: 'The address for the link' }), locale },
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
    revision: Type.Integer({ description: 'The number of saves' }),
    updatedAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time', description: 'The time of expiry, unless it is saved again' }),
  },
  { title: 'SubmissionDraft', additionalProperties: false },
);
export type DraftView = Static<typeof draft>;

export const linkSent = Type.Object(
  {
    mail: Type.Enum(['queued', 'skipped'], {
      description: '`skipped`: the address has reached its limit of mails, or this draft its limit of 5 mails',
    }),
  },
  { title: 'DraftLink', additionalProperties: false },
);
