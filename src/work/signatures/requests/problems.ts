import { defineProblems } from '../../../platform/problems.ts';

export const requestProblems = defineProblems({
  document_not_signable: {
    status: 422,
    title: 'The document cannot be sent for signing',
    help: '`documentId` names a document that you may change, with a file. Check the identifier, ask its owner for write access, or upload its first version.',
  },
  external_signing_denied: {
    status: 403,
    title: 'People from outside are asked by the owner of the document',
    help: 'Somebody who is no member of the team sees the document by being asked to sign it. That is for its owner, for the owner and administrators of the team and for API clients with the scope to change documents.',
  },
  signer_invalid: {
    status: 422,
    title: 'Somebody cannot be asked to sign',
    help: '`errors` names who, and why: the address or the name cannot be written to, nobody is asked to sign, a field is given twice or to somebody who only gets a copy, or the barrier around the document keeps a member out.',
  },
  duplicate_signer: {
    status: 422,
    title: 'An address is there twice',
    help: 'Each address is asked once in a request, so that each signature is of somebody else. Leave one of them out.',
  },
  creator_cannot_approve: {
    status: 422,
    title: 'Whoever made it cannot approve it',
    help: 'An approver looks at what somebody else has made: it is neither who asks for the signatures nor who uploaded the version. They may sign as `signer`.',
  },
  expiry_invalid: {
    status: 422,
    title: 'The end of the request is not possible',
    help: '`expiresAt` lies an hour to 365 days ahead.',
  },
  request_ended: {
    status: 409,
    title: 'The request has ended',
    help: 'It was completed, declined, voided, has expired or failed. Read it to see how, and make another one where that is wanted.',
  },
  request_sealing: {
    status: 409,
    title: 'The document is being sealed',
    help: 'All have signed and the service is sealing the document: nothing of the request changes meanwhile. Read it again in a moment.',
  },
  request_preparing: {
    status: 409,
    title: 'The request is not sent yet',
    help: 'The service makes the file that signers are shown; nobody was written to so far. Read the request again in a moment.',
  },
  request_suspended: {
    status: 409,
    title: 'The request stands still',
    help: 'Whoever asked may not open the document to the signers any more, or somebody who was to sign has left the team. The owner of the request or an administrator resumes or voids it.',
  },
  request_not_suspended: {
    status: 409,
    title: 'The request does not stand still',
    help: 'There is nothing to go on with: the request takes its course. Read it.',
  },
  nothing_to_retry: {
    status: 409,
    title: 'There is nothing to try again',
    help: 'A request is tried again when it has failed, and its document is not in the bin and has no other version since. Read it to see where it stands.',
  },
  reminded_recently: {
    status: 409,
    title: 'They were reminded less than a day ago',
    help: 'Each signer is reminded once a day at most, and only while it is their turn. `Retry-After` says when somebody may be reminded again.',
  },
  resent_recently: {
    status: 409,
    title: 'The mail was sent a short time ago',
    help: 'A signer is sent the mail again ten minutes after the last one, and five times within a day, which begins with the first of them. `Retry-After` says when. Where it never comes, correct the address; a signer whose turn it is is corrected five times within a day.',
  },
  signer_not_asked: {
    status: 409,
    title: 'This signer has no mail to be sent again',
    help: 'The mail is sent again to whom it is the turn of: not to those who come later, have signed already or get a copy.',
  },
  signer_excluded: {
    status: 409,
    title: 'The signer is kept out',
    help: 'The signer is a member whom a barrier around the document keeps out, or was one and has left the team or is suspended, and is mailed nothing of it; of a reminder, that is so of all whose turn it is. Have whoever sets the barrier name them in it, correct the signer, or void the request and ask somebody else.',
  },
  signer_opened: {
    status: 409,
    title: 'The signer has opened it already',
    help: 'Name and address are corrected until the signer opens the document. From then on void the request and make another one.',
  },
});

/** The states in which it has ended, as those read it who came by a link. */
export const signingProblems = defineProblems({
  signing_link_not_found: {
    status: 404,
    title: 'The link leads nowhere',
    help: 'The link is not whole, was replaced because a name or address was corrected, or the request was passed on to somebody else. Ask whoever sent it.',
  },
  signing_closed: {
    status: 410,
    title: 'There is nothing to sign any more',
    help: 'The request was completed, declined, voided or has expired. `requestStatus` says which, where the one who has the link may know. The sealed document of one that was completed is there for 30 days by the same link.',
  },
  not_your_turn: {
    status: 409,
    title: 'Others sign first',
    help: 'The request has an order, and it is not your turn yet. You get a mail when it is.',
  },
  request_paused: {
    status: 409,
    title: 'The request is paused',
    help: 'The workflow that asks for the signature was paused by those who asked. Try again later.',
  },
  already_signed: {
    status: 409,
    title: 'You have signed already',
    help: 'Your signature is there and counts once. When all have signed you get the sealed document.',
  },
  consent_required: {
    status: 422,
    title: 'Agree first',
    help: 'A signature needs `consent: true`: that you agree to sign electronically, as `consentText` says it. To refuse, decline.',
  },
  consent_changed: {
    status: 409,
    title: 'The text of the consent is another one',
    help: 'You agreed to another text than the one of this request. Read it again, with its `consentId` and locale, and then decide.',
  },
  document_changed_meanwhile: {
    status: 409,
    title: 'Something has changed since you looked',
    help: 'The hash that you sent is not the one of what would be signed. Read the request again, look at the document, and then decide.',
  },
  fields_invalid: {
    status: 422,
    title: 'Some fields are not filled as they must be',
    help: '`errors` names each: a required one is empty, a value is too long or of another kind, or the field is not yours.',
  },
  signature_image_invalid: {
    status: 422,
    title: 'The signature cannot be taken',
    help: 'A drawing is a PNG of at most 200 KB and 1000 × 400 pixels, as base64 or as a data URL. It must be visible on white paper. Draw it again, or type your name instead. Typed text has no control characters and no invisible characters.',
  },
  sign_in_required: {
    status: 403,
    title: 'Sign in to sign',
    help: 'The request is for a member of the team, who signs signed in with that account and no other. Sign in and send the access token along.',
  },
  sealed_not_ready: {
    status: 409,
    title: 'The document is not sealed yet',
    help: 'The sealed file is there when all have signed and the service has sealed it; you get a mail then.',
  },
  code_not_required: {
    status: 409,
    title: 'No code is needed',
    help: 'This request opens by its link alone. Go on without a code.',
  },
  code_required: {
    status: 403,
    title: 'A code from your mail is needed first',
    help: 'Ask for a code, which comes by mail to the address that the request was sent to, and give it. Your browser is known for half an hour then.',
  },
  code_wrong: {
    status: 422,
    title: 'The code is not right',
    help: 'The code is six digits long, good for ten minutes and five tries. Look at the newest mail, or ask for another code.',
  },
  code_locked: {
    status: 429,
    title: 'No more codes for now',
    help: 'Five codes a day are sent for one signer. Whoever asked you to sign was told. Try again when `Retry-After` says.',
  },
  delegation_not_allowed: {
    status: 403,
    title: 'It cannot be passed on',
    help: 'Whoever asked did not allow that another person signs in your place, or it was passed on to you already. Decline, or ask them.',
  },
  delegate_invalid: {
    status: 422,
    title: 'It cannot be passed on to them',
    help: 'It goes to somebody who is not asked already and has not asked for it, with a name and an address that can be written to. Who made the document does not approve it.',
  },
});
