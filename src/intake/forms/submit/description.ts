import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const gone = ['interface_not_found', 'interface_closed', 'interface_full'];
const proof = ['altcha_required', 'altcha_invalid', 'altcha_expired', 'altcha_already_used'];
/** Of a booking form. */
const booking = ['slot_taken', 'slot_not_offered', 'too_many_bookings'];
const taken = ['submission_invalid', 'version_superseded', 'quota_exceeded', ...gone];
const data = { what: 'A pallet of solvent stands beside the escape door of hall 3.', anonymous: 'yes', email: 'worker@example.org' };

const flow =
  'Answers to fields that are not shown, and what the form does not know, are left out; what is left is judged by the definition, and each fault is named with a JSON pointer such as `/data/email`. What the form says is to follow (a document, a workflow) follows at once; where the team’s own things are in the way of that, it is kept as failed and told by mail to whose the form is, and the answer here is still a success.';

export const submitText: DomainText['operations'] = {
  getInterfaceChallenge: {
    text: 'Gives a challenge that is good for one submission to this form. The public `altcha` widget solves it; the solution is sent as `altcha`.',
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
    text: `Answers a form. ${flow} With an \`Idempotency-Key\`, which pages always send, a repeated request is answered as the first was. \`version\` says which version of the form was on the screen: one that was replaced is taken for a day unless it was to be answered at once. Where \`hasSession\` is true, the cookie \`submission\` and the header \`x-submission-session\` of the answer open what became of it for a day: \`/submission/status\` and \`/submission/pdf\` where a document is made, \`/submission/booking\` of a booking form.`,
    records: ['submission.received'],
    problems: [...taken, ...booking, ...proof],
    never: ['not_found'],
    body: { data, version: 1 },
    answer: { success: true, submissionId: desk.submission, hasSession: true, message: 'Thank you. Your answers have been received.' },
  },
  getSubmissionBooking: {
    text: 'Shows what was booked by the last submission of the caller’s session, with the link that manages it, for a day. The same link stands in the mail to whoever gave an address; while the booking is `held` it stands there alone, since following it shows that the address is theirs.',
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
    text: `Submits as a program, by the token of the API channel, which takes the place of a proof of work. ${flow} The answers fit the JSON Schema that \`getApiInterface\` shows. Opening times and the number of submissions hold here too.`,
    records: ['submission.received'],
    problems: [...taken, ...booking],
    never: ['not_found'],
    body: { data },
    answer: { success: true, submissionId: desk.submission },
  },
};
