import { type Static, Type } from 'typebox';
import { itemsOf, resultsOf } from '../../../platform/http/bulk.ts';
import { changeQuery, idsFilter, pageQuery, searchFilter } from '../../../platform/http/page.ts';
import { undeliverable } from '../../../platform/schema-parts.ts';
import { actorTypes } from '../../../platform/scope.ts';
import { fieldKinds } from './field-kinds.ts';
import { states } from './states.ts';
import { time } from '../../../platform/schema-parts.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const points = (description: string, minimum: number) => Type.Number({ minimum, maximum: 20_000, description });

/** Maximum number of documents, fields and signers of a request, and the maximum size of its files together. */
export const most = { documents: 20, fields: 500, signers: 100, bytes: 60 * 1024 * 1024 } as const;

const place = {
  kind: Type.Enum([...fieldKinds], { description: 'The service fills `date` with the day of the signature' }),
  page: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Page number, starting at 1' }),
  x: points('Distance from the left of the displayed page, in points (1/72 inch)', 0),
  y: points('Distance from the top of the displayed page, in points', 0),
  width: points('Width in points', 1),
  height: points('Height in points', 1),
};
const label = Type.Optional(Type.String({ maxLength: 200, description: 'The expected content, for screen readers' }));

const fieldBody = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Unique within the request. Default: generated' })),
    document: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 19, description: 'Position of the document in `documents`, starting at 0. Default: 0' }),
    ),
    ...place,
    label,
    required: Type.Optional(Type.Boolean({ description: 'Whether the field is required. Default: true' })),
  },
  { additionalProperties: false },
);
export type FieldBody = Static<typeof fieldBody>;

const signsAs = Type.Union(
  [
    Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'A signer name in the templates of the documents' }),
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{0,64}$' }), {
      minItems: 1,
      maxItems: 20,
      description: 'A signer name for each document, in their order; an empty text for none',
    }),
  ],
  { description: 'Signer names in the templates of the documents. This signer gets the fields that a template has for the name' },
);

/** A field position in a template. */
const placedField = Type.Object(
  {
    signer: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The signer name in the template' }),
    ...place,
    label,
    required: Type.Optional(Type.Boolean({ description: 'Whether the field is required. Default: true' })),
  },
  { title: 'PlacedSignatureField', additionalProperties: false },
);

/** The field positions of a document, from its template. */
export const fieldPlaces = Type.Array(placedField, {
  maxItems: most.fields,
  description: 'The field positions from the template, with a signer name each. `signsAs` of a signer selects a name',
});
export type FieldPlace = Static<typeof placedField>;

const localeTag = { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 };

const roles = Type.Enum(['signer', 'approver', 'copy'], {
  description: 'An `approver` approves and is not the creator of the document; `copy` gets the sealed document and does not sign',
});

const signerBody = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    name: Type.String({ maxLength: 255 }),
    order: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'Turn; the signers with the lowest number sign first. Default: 1' }),
    ),
    role: Type.Optional(roles),
    fields: Type.Optional(Type.Array(fieldBody, { maxItems: most.fields })),
    signsAs: Type.Optional(signsAs),
    locale: Type.Optional(
      Type.String({
        ...localeTag,
        description: 'Language of the emails, the page and the consent of this signer. Default: `locale` of the request',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SignerBody = Static<typeof signerBody>;

const positions = (description: string) =>
  Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: most.signers - 1 }), {
      minItems: 1,
      maxItems: most.signers,
      uniqueItems: true,
      description,
    }),
  );
const documentBody = Type.Object(
  {
    documentId: Type.String({ minLength: 1, maxLength: 64 }),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'The version to sign, which must be the newest. Default: the newest' })),
    signedBy: positions('The positions in `signers` of those who sign this document. Default: all signers who see it'),
    visibleTo: positions('The positions in `signers` of those who see this document. Default: all'),
  },
  { additionalProperties: false },
);
export type DocumentBody = Static<typeof documentBody>;

export const createBody = Type.Object(
  {
    documentId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The document to sign. For several, use `documents`' }),
    ),
    documents: Type.Optional(
      Type.Array(documentBody, {
        minItems: 1,
        maxItems: most.documents,
        description: 'The documents to sign, instead of `documentId`, with at most 60 MiB together. Each signer signs them with one action',
      }),
    ),
    signers: Type.Array(signerBody, { minItems: 1, maxItems: most.signers }),
    message: Type.Optional(Type.String({ maxLength: 2_000, description: 'Shown in the email and on the signing page' })),
    expiresAt: Type.Optional(Type.String({ format: 'date-time', description: 'Default: 30 days from now. Maximum: 365 days' })),
    requireCode: Type.Optional(Type.Boolean({ description: 'Whether signers must enter an emailed code to open the document' })),
    allowDelegation: Type.Optional(Type.Boolean({ description: 'Whether each signer may delegate, once' })),
    consentAddition: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000, description: 'Text after the fixed consent text' })),
    locale: Type.Optional(
      Type.String({
        ...localeTag,
        description:
          'Language of emails, page and consent: en, de, ar or ja. Default: the language of the submission that started the workflow, of the signer’s account, or of the team',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CreateRequest = Static<typeof createBody>;

const signer = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    undeliverable: Type.Optional(undeliverable),
    name: Type.String(),
    order: Type.Integer(),
    role: roles,
    locale: Type.String({ description: 'Language of the emails, the page and the consent of the signer' }),
    status: Type.Enum(['waiting', 'pending', 'viewed', 'signed', 'declined'], {
      description: '`waiting`: not yet their turn; `pending`: their turn; `viewed`: document opened',
    }),
    member: Type.Optional(Type.Literal(true, { description: 'The signer is a member of the team and must sign in to sign' })),
    sentAt: Type.Optional(time),
    viewedAt: Type.Optional(time),
    signedAt: Type.Optional(time),
    declinedAt: Type.Optional(time),
    declineReason: Type.Optional(Type.String()),
    delegatedFrom: Type.Optional(Type.Object({ email: Type.String(), name: Type.String() }, { additionalProperties: false })),
    lastEmailAt: Type.Optional({ ...time, description: 'When the last invitation or reminder was sent' }),
    nextReminderAt: Type.Optional({ ...time, description: 'When the next automatic reminder is due' }),
    mail: Type.Optional(Type.Literal('failed', { description: 'The last email to the signer was rejected' })),
  },
  { title: 'RequestSigner', additionalProperties: false },
);

const field = Type.Object(
  {
    id: Type.String(),
    signerId: Type.String(),
    document: Type.Integer({ description: 'Position of the document in `documents`, starting at 0' }),
    ...place,
    label,
    required: Type.Boolean(),
  },
  { additionalProperties: false },
);

const sealed = {
  presentedSha256: Type.Optional(Type.String({ description: 'SHA-256 of the file that signers see and that is sealed' })),
  sealedVersion: Type.Optional(Type.Integer({ description: 'The sealed version of the document' })),
  sealedSha256: Type.Optional(Type.String()),
  sealLevel: Type.Optional(
    Type.String({ description: 'PAdES level: B-B, B-T (with timestamp) or B-LT (with timestamp and validation data)' }),
  ),
  sealedAt: Type.Optional(time),
  timeSource: Type.Optional(
    Type.Enum(['service', 'timestamp'], { description: 'Source of `sealedAt`: the clock of the service or a timestamp authority' }),
  ),
};

const page = Type.Object({ width: Type.Number(), height: Type.Number() }, { additionalProperties: false });
/** Members that lists omit. */
const prepared = {
  pages: Type.Optional(Type.Array(page, { description: 'The displayed sizes of the pages, in points' })),
  findings: Type.Optional(Type.Array(Type.String(), { description: 'The changes made to the upload for its presentation' })),
};

const document = {
  documentId: Type.String(),
  version: Type.Integer({ description: 'The version to sign' }),
  sha256: Type.String({ description: 'SHA-256 of that version, in hexadecimal' }),
  title: Type.String(),
  signedBy: Type.Optional(Type.Array(Type.String(), { description: 'IDs of the signers who sign it. Absent: all signers who see it' })),
  visibleTo: Type.Optional(Type.Array(Type.String(), { description: 'IDs of the signers and copy recipients who see it. Absent: all' })),
  error: Type.Optional(Type.String({ description: 'Why the document could not be prepared or sealed' })),
  ...sealed,
};

const members = {
  id: Type.String(),
  documentId: Type.String({ description: 'The first document. Its version, hashes and seal are also members of the request' }),
  documents: Type.Array(Type.Object(document, { title: 'RequestDocument', additionalProperties: false }), {
    description: 'The documents, in order. Each is sealed as its own file',
  }),
  matterId: Type.Optional(Type.String({ description: 'The matter of the document' })),
  documentVersion: Type.Integer({ description: 'The version to sign' }),
  documentSha256: Type.String(),
  title: Type.String(),
  status: Type.Enum([...states]),
  step: Type.Optional(Type.String({ description: 'The current or failed step of the service' })),
  error: Type.Optional(Type.String({ description: 'The last error of the step' })),
  nextRetryAt: Type.Optional(time),
  suspended: Type.Optional(
    Type.Enum(['right_lost', 'signer_left', 'signer_excluded'], {
      description: 'The reason for the suspension, until the request is resumed or voided',
    }),
  ),
  paused: Type.Optional(Type.Literal(true, { description: 'The workflow of the request is paused' })),
  message: Type.Optional(Type.String()),
  consentAddition: Type.Optional(Type.String()),
  locale: Type.String(),
  requireCode: Type.Boolean(),
  allowDelegation: Type.Boolean(),
  expiresAt: time,
  createdBy: Type.String(),
  createdByType: Type.String({ enum: [...actorTypes] }),
  requestedBy: Type.String({ description: 'The actor whose rights give the signers access to the document' }),
  workflowId: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String()),
  signers: Type.Array(signer),
  ...sealed,
  endReason: Type.Optional(Type.String()),
  completedAt: Type.Optional(time),
  endedAt: Type.Optional(time),
  createdAt: time,
  updatedAt: time,
};

export const request = Type.Object(members, { title: 'SignatureRequest', additionalProperties: false });

/** One request with members that lists omit. */
export const requestInFull = Type.Object(
  {
    ...members,
    documents: Type.Array(Type.Object({ ...document, ...prepared }, { title: 'RequestDocumentInFull', additionalProperties: false }), {
      description: 'The documents, in order. Each is sealed as its own file',
    }),
    ...prepared,
    fields: Type.Array(field),
    evidence: Type.Array(
      Type.Object(
        { number: Type.Integer(), signerId: Type.String(), act: Type.String(), sha256: Type.String(), at: time },
        { title: 'SignatureEvidence', additionalProperties: false },
      ),
      { description: 'The hashes of the evidence' },
    ),
  },
  { title: 'SignatureRequestInFull', additionalProperties: false },
);
export type RequestInFull = Static<typeof requestInFull>;

/** The full evidence of a request. */
export const evidenceList = Type.Object(
  {
    evidence: Type.Array(
      Type.Object(
        { number: Type.Integer(), signerId: Type.String(), act: Type.String(), jws: Type.String(), sha256: Type.String(), at: time },
        { title: 'SignatureProof', additionalProperties: false },
      ),
    ),
  },
  { title: 'SignatureProofs', additionalProperties: false },
);
export type EvidenceList = Static<typeof evidenceList>;

export const signerParams = Type.Object({ id: Type.String(), signerId: Type.String() });
export const extendBody = Type.Object(
  { expiresAt: Type.String({ format: 'date-time', description: 'Later than the current expiry and at most 365 days from now' }) },
  { additionalProperties: false },
);
export const voidBody = Type.Object({ reason: text(2_000) }, { additionalProperties: false });
export const correctBody = Type.Object(
  { email: Type.Optional(Type.String({ maxLength: 254 })), name: Type.Optional(Type.String({ maxLength: 255 })) },
  { minProperties: 1, additionalProperties: false },
);
export type Correction = Static<typeof correctBody>;

export const filters = {
  ...searchFilter('title, or of the name or address of a signer'),
  ...idsFilter,
  status: Type.Optional(Type.Array(Type.Enum([...states]))),
  documentId: Type.Optional(Type.String()),
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'Only requests about documents in this matter' })),
  requestedBy: Type.Optional(Type.String({ maxLength: 64, description: 'Only requests of this member, or of the caller with `me`' })),
  stalled: Type.Optional(
    Type.Boolean({
      description: '`true`: only requests that failed, are suspended, or whose current signer gets no email. `false`: all others',
    }),
  ),
};
export const retryManyBody = itemsOf(Type.Object({ id: Type.String({ format: 'uuid' }) }));
export const requestResults = resultsOf('request', requestInFull, { title: 'SignatureRequestResults' });
export const listQuery = Type.Object({ ...pageQuery, ...changeQuery, ...filters });
export type RequestFilters = Partial<Static<ReturnType<typeof Type.Object<typeof filters>>>>;
