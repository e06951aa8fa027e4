import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const gone = ['interface_not_found', 'interface_closed', 'interface_full'];
const proof = ['altcha_required', 'altcha_invalid', 'altcha_expired', 'altcha_already_used'];
/** The errors of a booking form. */
const booking = ['slot_taken', 'slot_not_offered', 'too_many_bookings'];
const taken = ['submission_invalid', 'version_superseded', 'quota_exceeded', ...gone];
const data = { what: 'A pallet of solvent blocks the escape door of hall 3.', anonymous: 'yes', email: 'worker@example.org' };

const flow =
  'Chancery ignores answers to hidden and unknown fields, and validates the other answers. A `Warning` header names unknown fields. Each error has a JSON pointer such as `/data/email`. The effects of the form (a document, a workflow) follow at once. If an effect fails, Chancery records that and emails the owner of the form; the request still succeeds.';

export const submitText: DomainText['operations'] = {
  getInterfaceChallenge: {
    text: 'Returns a challenge for one submission to this form. Solve it with the public `altcha` widget, and send the solution as `altcha`.',
    problems: gone,
    never: ['not_found'],
    answer: {
      algorithm: 'SHA-256',
      challenge: '5f0d2a3c8e8b1f6a9d7c4b3a2e1f0d9c8b7a6958473625140f1e2d3c4b5a6978',
      maxnumber: 50_000,
      salt: '6c1f4be9a0d37f52?expires=1767607200&action=submit%3A01999999-0000-7000-8000-000000000055&',
      signature: '8d1a7f3c5b9e2d4f6a8c0e1b3d5f7a9c2e4b6d8f0a1c3e5b7d9f1a3c5e7b9d1f',
    },
  },
  submitPublicInterface: {
    text: `Submits answers to a form. ${flow} A repetition with the same \`Idempotency-Key\` gets the same response; pages always send one. \`version\` is the form version on the screen. A replaced version is accepted for a day, unless it was superseded at once. If \`hasSession\` is true, the cookie \`submission\` and the response header \`x-submission-session\` give access to the results for a day. \`/submission/status\` and \`/submission/pdf\` have the document, and \`/submission/booking\` has the booking.`,
    records: ['submission.received'],
    problems: [...taken, ...booking, ...proof],
    never: ['not_found'],
    body: { data, version: 1 },
    answer: { success: true, submissionId: desk.submission, hasSession: true, message: 'Thank you. Your answers have been received.' },
  },
  getSubmissionBooking: {
    text: 'Returns the booking of the session’s last submission, with the link to manage it, for a day. The email to the visitor has the same link. While the booking is `held`, only the email has the link, because opening it proves that the address is the visitor’s.',
    problems: ['interface_not_found', 'no_submission_session'],
    never: ['not_found'],
    answer: {
      bookingId: desk.booking,
      status: 'confirmed',
      start: '2026-03-16T09:00:00.000Z',
      end: '2026-03-16T09:30:00.000Z',
      manageToken: 'b4pQ…',
      manageUrl: `https://api.example.com/booking/${desk.team.id}/b4pQ…`,
      icsUrl: `https://api.example.com/api/v1/interfaces/booking/${desk.team.id}/b4pQ…/calendar.ics`,
    },
  },
  submitApiInterface: {
    text: `Submits answers as a program. The token of the API channel replaces the proof of work. ${flow} The answers must match the JSON Schema of \`getApiInterface\`. Texts of errors are for developers, in English. The opening times and the maximum number of submissions apply.`,
    records: ['submission.received'],
    problems: [...taken, ...booking],
    never: ['not_found'],
    body: { data },
    answer: { success: true, submissionId: desk.submission },
  },
};
