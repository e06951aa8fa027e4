import { defineProblems } from '../../../platform/problems.ts';

export const requestProblems = defineProblems({
  document_not_signable: {
    status: 422,
    title: 'The document cannot be sent for signing',
    help: 'Each document must have a file, and you need write access to it. Name each document once. Check the identifier, ask the owner for write access, or upload a first version. If you send a `version`, it must be the newest.',
  },
  documents_too_large: {
    status: 422,
    title: 'The documents are too large together',
    help: 'The files of one signature request can have 60 MiB together. Send several requests.',
  },
  external_signing_denied: {
    status: 403,
    title: 'External signers not allowed',
    help: 'An external signer gets access to the document. Ask its owner or an administrator to create the request. API clients with the scope to change documents can also name external signers.',
  },
  signer_invalid: {
    status: 422,
    title: 'Invalid signer',
    help: '`errors` names each signer with the reason, for example an invalid address, a duplicate field or an excluded member. A request needs a signer or approver, and copy recipients have no fields.',
  },
  locale_not_supported: {
    status: 422,
    title: 'Language not supported',
    help: 'Emails, the page and the consent exist in English (`en`), German (`de`), Arabic (`ar`) and Japanese (`ja`). Use one of them as `locale`, also with a region such as `de-AT`, or omit it for the default.',
  },
  duplicate_signer: {
    status: 422,
    title: 'Duplicate signer address',
    help: 'Each signer of a request needs a different address. Remove the duplicate signer.',
  },
  creator_cannot_approve: {
    status: 422,
    title: 'The creator cannot approve',
    help: 'The requester of the signatures and the uploader of the version cannot be approvers. Both may sign with the role `signer`.',
  },
  expiry_invalid: {
    status: 422,
    title: 'Invalid expiry',
    help: '`expiresAt` must be between one hour and 365 days from now.',
  },
  request_ended: {
    status: 409,
    title: 'The request has ended',
    help: 'The request is completed, declined, voided, expired or failed. Read its status, and create another request if you need one.',
  },
  request_sealing: {
    status: 409,
    title: 'The document is being sealed',
    help: 'All signers have signed, and Chancery is sealing the document. The request cannot change during this time. Read it again in a moment.',
  },
  request_preparing: {
    status: 409,
    title: 'The request is not sent yet',
    help: 'Chancery is preparing the file for the signers and has not sent any mail. Read the request again in a moment.',
  },
  request_suspended: {
    status: 409,
    title: 'The request is suspended',
    help: 'The requester may no longer share the document with the signers, or a signer has left the team. Or a barrier excludes a signer from one of several documents. The owner of the request or an administrator can resume or void it.',
  },
  request_not_suspended: {
    status: 409,
    title: 'The request is not suspended',
    help: 'Only a suspended request can be resumed. Read its status.',
  },
  nothing_to_retry: {
    status: 409,
    title: 'Nothing to retry',
    help: 'Only a failed request can be retried, and only if no document of it is in the bin or has a newer version. Read the status of the request.',
  },
  reminded_recently: {
    status: 409,
    title: 'Reminder sent less than a day ago',
    help: 'Each signer gets at most one reminder a day, and only during their turn. `Retry-After` gives the time until the next reminder.',
  },
  resent_recently: {
    status: 409,
    title: 'Mail sent recently',
    help: 'Wait ten minutes between mails to a signer. Each signer can get five resent mails in the 24 hours after the first. `Retry-After` gives the time to wait. If the mail does not arrive, correct the address, at most five times a day.',
  },
  signer_not_asked: {
    status: 409,
    title: 'The signer has no mail to resend',
    help: 'Only signers whose turn it is get the mail again. Later signers, signers who have signed and recipients of a copy do not.',
  },
  signer_excluded: {
    status: 409,
    title: 'The signer is excluded',
    help: 'A barrier around the document excludes this member, or the member has left the team or is suspended. This member gets no mail about the request. A reminder fails only if all current signers are excluded. Ask the owner of the folder or an administrator to add the member, correct the signer, or void the request.',
  },
  signer_opened: {
    status: 409,
    title: 'The signer has opened the document',
    help: 'Name and address can be corrected until the signer opens the document. Void the request and create another one.',
  },
});

/** Problems of signing links, with texts for signers. */
export const signingProblems = defineProblems({
  signing_link_not_found: {
    status: 404,
    title: 'Invalid signing link',
    help: 'The link is incomplete, or it was replaced after a correction or a delegation. Ask the sender for the current link.',
  },
  signing_closed: {
    status: 410,
    title: 'Signing closed',
    help: 'The request is completed, declined, voided or expired. `requestStatus` has the status if the link may show it. For 30 days after the completion, the same link shows the sealed document.',
  },
  not_your_turn: {
    status: 409,
    title: 'It is not your turn',
    help: 'Other signers sign first. You get a mail when it is your turn.',
  },
  request_paused: {
    status: 409,
    title: 'The request is paused',
    help: 'The workflow of the signature request is paused. Try again later.',
  },
  already_signed: {
    status: 409,
    title: 'You have signed already',
    help: 'Your signature is stored and counts once. You get the sealed document when all have signed.',
  },
  consent_required: {
    status: 422,
    title: 'Consent required',
    help: 'A signature needs `consent: true`: your agreement to sign electronically, as in `consentText`. To refuse, decline the request.',
  },
  consent_changed: {
    status: 409,
    title: 'Consent text changed',
    help: 'The consent text of this request differs from the text that you agreed to. Read it again, with its `consentId` and locale, and then decide.',
  },
  document_changed_meanwhile: {
    status: 409,
    title: 'Signing content changed',
    help: 'The hash in your request differs from the hash of the content to sign. Read the request again, examine the document, and then decide.',
  },
  fields_invalid: {
    status: 422,
    title: 'Invalid fields',
    help: 'A required field is empty, a value is too long or of the wrong type, or a field belongs to another signer. `errors` names each field.',
  },
  signature_image_invalid: {
    status: 422,
    title: 'Invalid signature image',
    help: 'A drawing is a PNG of at most 200 KB and 1000 × 400 pixels, as base64 or as a data URL. It must be visible on white paper. Draw it again, or type your name instead. Typed text must not contain control characters or invisible characters.',
  },
  sign_in_required: {
    status: 403,
    title: 'Sign-in required',
    help: 'The signer is a member of the team and must sign in before signing. Sign in and send the access token. If you are signed in with another account, sign out first.',
  },
  sealed_not_ready: {
    status: 409,
    title: 'The document is not sealed yet',
    help: 'The sealed file is available after all have signed and Chancery has sealed it. You get a mail then.',
  },
  code_not_required: {
    status: 409,
    title: 'No code is needed',
    help: 'This request needs only its link. Continue without a code.',
  },
  code_required: {
    status: 403,
    title: 'Mail code required',
    help: 'Request a code and enter it. Chancery sends it to the address of the signer. After you enter the code, this browser needs no other for 30 minutes.',
  },
  code_wrong: {
    status: 422,
    title: 'Wrong code',
    help: 'The code has six digits and is valid for ten minutes and five attempts. Check the newest mail, or request another code.',
  },
  code_locked: {
    status: 429,
    title: 'Daily limit of codes reached',
    help: 'Each signer gets at most five codes a day. The requester was notified. Try again after the time in `Retry-After`.',
  },
  delegation_not_allowed: {
    status: 403,
    title: 'Delegation not allowed',
    help: 'The requester did not allow delegation, or the request was already delegated to you. Decline, or contact the requester.',
  },
  delegate_invalid: {
    status: 422,
    title: 'Invalid delegate',
    help: 'The delegate cannot be the requester or a signer of this request, and needs a valid name and address. The creator of the document cannot be an approver.',
  },
});
