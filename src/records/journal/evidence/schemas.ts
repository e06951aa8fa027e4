import { type Static, Type } from 'typebox';
import { closed } from '../../../platform/schema-parts.ts';

const hash = Type.String({ description: 'SHA-256, base64' });
const note = Type.String({ description: 'A signed checkpoint in the format C2SP tlog-checkpoint' });
const thing = Type.Object({ type: Type.String(), id: Type.Optional(Type.String()) }, closed);
const size = Type.Integer({ minimum: 0 });

export const checkpointAnswer = Type.Object(
  {
    origin: Type.String({ description: 'The name of the log' }),
    size,
    rootHash: hash,
    publishedAt: Type.String({ format: 'date-time' }),
    checkpoint: note,
    verifierKeys: Type.Array(Type.String(), { description: 'The keys that verify it, in the format C2SP signed-note' }),
    cosignedBy: Type.Array(Type.String(), { description: 'Names of the external witnesses that cosigned it' }),
  },
  { ...closed, title: 'AuditCheckpoint' },
);
export type CheckpointAnswer = Static<typeof checkpointAnswer>;

const header = {
  id: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'The number of the entry in its team' }),
  teamId: Type.String(),
  type: Type.String({ description: 'The action, such as `folder.created`' }),
  at: Type.String({ description: 'UTC with six decimals of a second' }),
};
const content = {
  actor: thing,
  requestId: Type.Optional(Type.String()),
  ip: Type.Optional(Type.String({ description: 'Digest of the address, base64' })),
  data: Type.Object({}, { additionalProperties: true }),
  salt: Type.String(),
};

/** The content of a leaf. docs/concepts/audit-journal.md defines its hash. */
const record = Type.Union(
  [
    Type.Object(
      { v: Type.Literal(1, { description: 'Version of the record' }), ...header, target: Type.Optional(thing), ...content },
      { ...closed, title: 'AuditRecord1' },
    ),
    Type.Object(
      {
        v: Type.Literal(2, { description: 'Version of the record' }),
        ...header,
        target: Type.Optional(Type.Object({ type: Type.String() }, closed)),
        body: Type.String({ description: 'Digest of the body, base64' }),
      },
      { ...closed, title: 'AuditRecord2' },
    ),
  ],
  { title: 'AuditRecord', description: 'Version 1 until an upgrade of the service, then version 2' },
);

const body = Type.Object(
  { ...content, targetId: Type.Optional(Type.String({ description: 'The id of the resource' })) },
  { ...closed, title: 'AuditRecordBody', description: 'The content of the digest `body` in a record of version 2' },
);

const address = Type.Object(
  { salt: Type.String(), ip: Type.String() },
  { ...closed, description: 'The address of the digest `ip`; absent after its erasure' },
);

export const proofAnswer = Type.Object(
  {
    record,
    body: Type.Optional(body),
    address: Type.Optional(address),
    index: size,
    treeSize: size,
    leafHash: hash,
    inclusionPath: Type.Array(hash),
    checkpoint: note,
    tlogProof: Type.String({ description: 'The same in the format C2SP tlog-proof; its extra data is the canonical record' }),
  },
  { ...closed, title: 'AuditInclusionProof' },
);
export type ProofAnswer = Static<typeof proofAnswer>;

export const consistencyQuery = Type.Object({
  from: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'The smaller size' }),
  to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The larger size; by default that of the published checkpoint',
    }),
  ),
});

export const consistencyAnswer = Type.Object(
  { from: size, to: size, fromRootHash: hash, toRootHash: hash, consistencyPath: Type.Array(hash) },
  { ...closed, title: 'AuditConsistencyProof' },
);
export type ConsistencyAnswer = Static<typeof consistencyAnswer>;

export const exportQuery = Type.Object({
  after: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Only entries after this number: the last of an earlier export',
  }),
});
