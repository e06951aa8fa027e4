import { type Static, Type } from 'typebox';

const data = Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by the ids of their fields' });

/** Of the contract: `data`. The others are ours, and may be left out. */
export const submitBody = Type.Object({
  data,
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'The version of the form that is answered; the current one without it' })),
  altcha: Type.Optional(Type.Unknown({ description: 'The proof of work, where the form asks for one' })),
  locale: Type.Optional(
    Type.String({ maxLength: 35, description: 'The language of errors and of the message; by default that of `Accept-Language`' }),
  ),
});
export type SubmitBody = Static<typeof submitBody>;

export const publicResult = Type.Object(
  {
    success: Type.Boolean(),
    submissionId: Type.String(),
    hasSession: Type.Boolean({ description: 'Whether a document follows, which this session can read' }),
    message: Type.String(),
  },
  { title: 'PublicSubmitResult', additionalProperties: false },
);

export const bookingOfSession = Type.Object(
  {
    bookingId: Type.String(),
    status: Type.String({ description: '`held` until a mailed link is followed, `pending` until the team confirms it, or `confirmed`' }),
    start: Type.String({ format: 'date-time', description: 'When it begins' }),
    end: Type.String({ format: 'date-time', description: 'When it ends' }),
    manageToken: Type.Optional(
      Type.String({ description: 'The token to read, move and cancel the booking; while the booking is `held`, only the email has it' }),
    ),
    manageUrl: Type.Optional(Type.String({ description: 'The page for that' })),
    icsUrl: Type.Optional(Type.String({ description: 'The booking as a calendar file' })),
  },
  { title: 'SubmissionBooking' },
);

export const apiResult = Type.Object(
  {
    success: Type.Boolean(),
    submissionId: Type.String(),
    bindingRecordId: Type.Optional(Type.String({ description: 'The registry record that was made, where the form makes one' })),
  },
  { title: 'ApiSubmitResult', additionalProperties: false },
);

export const challengeQuery = Type.Object({
  v: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: 'The shape of the challenge' })),
});
export const challenge = Type.Object({}, { additionalProperties: true });
