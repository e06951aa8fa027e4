import { type Static, Type } from 'typebox';

const data = Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by the ids of their fields' });

/** The published contract fixes `data`. The other members are optional additions. */
export const submitBody = Type.Object({
  data,
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'The submitted version of the form; the current one by default' })),
  altcha: Type.Optional(Type.Unknown({ description: 'The proof of work, if the form requires one' })),
  locale: Type.Optional(
    Type.String({
      maxLength: 35,
      description:
        'The language of the submission and its message, and of errors by the public link; by default that of `Accept-Language`. If the form does not have it, its default applies; `locale` of the submission shows the used one',
    }),
  ),
});
export type SubmitBody = Static<typeof submitBody>;

export const publicResult = Type.Object(
  {
    success: Type.Boolean(),
    submissionId: Type.String(),
    hasSession: Type.Boolean({ description: 'Whether this session can read the result, such as a document' }),
    message: Type.String(),
  },
  { title: 'PublicSubmitResult', additionalProperties: false },
);

export const bookingOfSession = Type.Object(
  {
    bookingId: Type.String(),
    status: Type.String({
      description: '`held` until the visitor opens the emailed link, `pending` until the team confirms, or `confirmed`',
    }),
    start: Type.String({ format: 'date-time', description: 'The start of the appointment' }),
    end: Type.String({ format: 'date-time', description: 'The end of the appointment' }),
    manageToken: Type.Optional(
      Type.String({ description: 'The token to read, move and cancel the booking; while the booking is `held`, only the email has it' }),
    ),
    manageUrl: Type.Optional(Type.String({ description: 'The page to manage the booking' })),
    icsUrl: Type.Optional(Type.String({ description: 'The address of the booking as a calendar file' })),
  },
  { title: 'SubmissionBooking' },
);

export const apiResult = Type.Object(
  {
    success: Type.Boolean(),
    submissionId: Type.String(),
    bindingRecordId: Type.Optional(Type.String({ description: 'The created registry record, if any' })),
  },
  { title: 'ApiSubmitResult', additionalProperties: false },
);

export const challengeQuery = Type.Object({
  v: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: 'The version of the challenge format' })),
});
export const challenge = Type.Object({}, { additionalProperties: true });
