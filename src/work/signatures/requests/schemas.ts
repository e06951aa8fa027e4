import { type Static, Type } from 'typebox';
import { changeQuery, pageQuery } from '../../../platform/http/page.ts';
import { actorTypes } from '../../../platform/scope.ts';
import { fieldKinds } from './field-kinds.ts';
import { states } from './states.ts';
import { time } from '../../../platform/schema-parts.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const points = (description: string, minimum: number) => Type.Number({ minimum, maximum: 20_000, description });

/** Fields of a request at most, and people who are asked. */
export const most = { fields: 500, signers: 100 } as const;

const place = {
  kind: Type.Enum([...fieldKinds], { description: '`date` is filled by the service, with the day of the signature' }),
  page: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Counted from 1' }),
  x: points('Points (1/72 inch) from the left of the page as it is shown', 0),
  y: points('Points from the top of the page as it is shown', 0),
  width: points('Points', 1),
  height: points('Points', 1),
};
const label = Type.Optional(Type.String({ maxLength: 200, description: 'The expected content, for screen readers' }));

const fieldBody = Type.Object(
  {
    id: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Within the request; the service gives one without it' }),
    ),
    ...place,
    label,
    required: Type.Optional(Type.Boolean({ description: 'Whether it must be filled: true without it' })),
  },
  { additionalProperties: false },
);
export type FieldBody = Static<typeof fieldBody>;

const signsAs = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'A signer of the template that the document was made from: the fields that it places for them are theirs',
});

/** A field as a template places it. */
const placedField = Type.Object(
  {
    signer: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The name of the signer in the template' }),
    ...place,
    label,
    required: Type.Optional(Type.Boolean({ description: 'Whether it must be filled: true without it' })),
  },
  { title: 'PlacedSignatureField', additionalProperties: false },
);

/** Where a document is signed, and by whom, as the template says that it was made from. */
export const fieldPlaces = Type.Array(placedField, {
  maxItems: most.fields,
  description: 'Where its template says that it is signed, and by whom: `signsAs` of a signer names one',
});
export type FieldPlace = Static<typeof placedField>;

const roles = Type.Enum(['signer', 'approver', 'copy'], {
  description: 'An `approver` agrees and has not made the document; `copy` gets the sealed document and signs nothing',
});

const signerBody = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    name: Type.String({ maxLength: 255 }),
    order: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Those of the lowest sign first; 1 without it' })),
    role: Type.Optional(roles),
    fields: Type.Optional(Type.Array(fieldBody, { maxItems: most.fields })),
    signsAs: Type.Optional(signsAs),
  },
  { additionalProperties: false },
);
export type SignerBody = Static<typeof signerBody>;

export const createBody = Type.Object(
  {
    documentId: Type.String({ minLength: 1, maxLength: 64 }),
    signers: Type.Array(signerBody, { minItems: 1, maxItems: most.signers }),
    message: Type.Optional(Type.String({ maxLength: 2_000, description: 'Shown in the mail and on the page' })),
    expiresAt: Type.Optional(Type.String({ format: 'date-time', description: '30 days without it, 365 at most' })),
    requireCode: Type.Optional(Type.Boolean({ description: 'Whether a code by mail comes before the document opens' })),
    allowDelegation: Type.Optional(Type.Boolean({ description: 'Whether a signer may have another person sign, once' })),
    consentAddition: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_000, description: 'Added after the fixed text of the consent' }),
    ),
    locale: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        maxLength: 35,
        description: 'Of mails, page and consent: en, de, ar, ja',
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
    name: Type.String(),
    order: Type.Integer(),
    role: roles,
    status: Type.Enum(['waiting', 'pending', 'viewed', 'signed', 'declined'], {
      description: '`waiting` for others; `pending`: it is their turn; `viewed`: they have opened it',
    }),
    member: Type.Optional(Type.Literal(true, { description: 'A member of the team, who signs signed in with that account' })),
    sentAt: Type.Optional(time),
    viewedAt: Type.Optional(time),
    signedAt: Type.Optional(time),
    declinedAt: Type.Optional(time),
    declineReason: Type.Optional(Type.String()),
    delegatedFrom: Type.Optional(Type.Object({ email: Type.String(), name: Type.String() }, { additionalProperties: false })),
    mail: Type.Optional(Type.Literal('failed', { description: 'The last mail to them was refused' })),
  },
  { title: 'RequestSigner', additionalProperties: false },
);

const field = Type.Object(
  { id: Type.String(), signerId: Type.String(), ...place, label, required: Type.Boolean() },
  { additionalProperties: false },
);

const members = {
  id: Type.String(),
  documentId: Type.String(),
  documentVersion: Type.Integer({ description: 'The version that is signed' }),
  documentSha256: Type.String(),
  title: Type.String(),
  status: Type.Enum([...states]),
  step: Type.Optional(Type.String({ description: 'The current or failed step of the service' })),
  error: Type.Optional(Type.String({ description: 'What went wrong there the last time' })),
  nextRetryAt: Type.Optional(time),
  suspended: Type.Optional(
    Type.Enum(['right_lost', 'signer_left'], { description: 'The reason of the suspension, until the request is resumed or voided' }),
  ),
  paused: Type.Optional(Type.Literal(true, { description: 'The workflow that asks is paused' })),
  message: Type.Optional(Type.String()),
  consentAddition: Type.Optional(Type.String()),
  locale: Type.String(),
  requireCode: Type.Boolean(),
  allowDelegation: Type.Boolean(),
  expiresAt: time,
  createdBy: Type.String(),
  createdByType: Type.String({ enum: [...actorTypes] }),
  requestedBy: Type.String({ description: 'By whose right the document is open to those who sign' }),
  workflowId: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String()),
  signers: Type.Array(signer),
  presentedSha256: Type.Optional(Type.String({ description: 'SHA-256 of the file for the signers, which is sealed' })),
  sealedVersion: Type.Optional(Type.Integer({ description: 'The version of the document that is sealed' })),
  sealedSha256: Type.Optional(Type.String()),
  sealLevel: Type.Optional(Type.String({ description: 'PAdES: B-B, B-T with a timestamp, B-LT with what validates it later' })),
  sealedAt: Type.Optional(time),
  timeSource: Type.Optional(Type.Enum(['service', 'timestamp'], { description: 'Who says when it was sealed' })),
  endReason: Type.Optional(Type.String()),
  completedAt: Type.Optional(time),
  endedAt: Type.Optional(time),
  createdAt: time,
  updatedAt: time,
};

export const request = Type.Object(members, { title: 'SignatureRequest', additionalProperties: false });

const page = Type.Object({ width: Type.Number(), height: Type.Number() }, { additionalProperties: false });

/** One request, with what a list leaves out. */
export const requestInFull = Type.Object(
  {
    ...members,
    pages: Type.Optional(Type.Array(page, { description: 'The sizes of the pages that signers are shown, in points' })),
    findings: Type.Optional(Type.Array(Type.String(), { description: 'The changes made to the upload for its presentation' })),
    fields: Type.Array(field),
    evidence: Type.Array(
      Type.Object(
        { number: Type.Integer(), signerId: Type.String(), act: Type.String(), sha256: Type.String(), at: time },
        { title: 'SignatureEvidence', additionalProperties: false },
      ),
      { description: 'The hashes of the proofs' },
    ),
  },
  { title: 'SignatureRequestInFull', additionalProperties: false },
);
export type RequestInFull = Static<typeof requestInFull>;

/** What proves the acts of a request, whole. */
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
  { expiresAt: Type.String({ format: 'date-time', description: 'Later than it is, and 365 days ahead at most' }) },
  { additionalProperties: false },
);
export const voidBody = Type.Object({ reason: text(2_000) }, { additionalProperties: false });
export const correctBody = Type.Object(
  { email: Type.Optional(Type.String({ maxLength: 254 })), name: Type.Optional(Type.String({ maxLength: 255 })) },
  { minProperties: 1, additionalProperties: false },
);
export type Correction = Static<typeof correctBody>;

export const filters = {
  status: Type.Optional(Type.Array(Type.Enum([...states]))),
  documentId: Type.Optional(Type.String()),
};
export const listQuery = Type.Object({ ...pageQuery, ...changeQuery, ...filters });
export type Filters = Partial<Static<ReturnType<typeof Type.Object<typeof filters>>>>;
