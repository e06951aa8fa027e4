import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

export const entry = {
  id: desk.entry,
  type: 'task.completed',
  actor: { type: 'user', id: desk.marcus.id },
  teamId: desk.team.id,
  target: { type: 'task', id: desk.approvalTask },
  at: desk.wednesday,
  ip: '203.0.113.24',
  requestId: '019d2f4e-6a00-7c2b-9a54-000000000092',
  data: { title: 'Approve the NDA with Acme Robotics', outcome: 'approved', documentVersion: 1, documentSha256: desk.sha256 },
};

const origin = 'api.example.com/tlog';
const root = '8KAUYkmrNSzAplcFNhzJc/Y8xfZkjK3RN2OCZdvbrB4=';
const signature = `— ${origin} n/m+HcP/Uu0FO5lfyT5nqhGyjGV1miXhnNOHIPV46NqXq0yNcF8F8JD+4JZUKfKA+IKPXLZZOQWdPUqBM5eUv9UAGQY=`;
const checkpoint = `${origin}\n3267\n${root}\n\n${signature}\n`;
const hashes = ['GPnUzWuaiARett7RD408ynu++qaYUB/HiT2sW84QpJQ=', 'YhHgKCIjH9c2dyXwBrNs0EMfHhlwfzl1ZgaqBLshHts='];

export const description: DomainText = {
  operations: {
    listAuditJournal: {
      text: 'Reads what happened in the team, the newest first: each act with who did it, to what, when, from where and by which request. Filters by type, actor, target and time narrow it together; `sort=createdAt` begins with the oldest. `nextCursor` leads on, and `limit` is 1 to 200. Entries are never changed and never removed while the team is there. Reading writes nothing.',
      answer: { events: [entry], nextCursor: 'WyIyMDI2LTAzLTExIl0' },
    },
    getAuditCheckpoint: {
      text: 'Shows the newest signed checkpoint of the tree that the journal’s entries are leaves of: its size, its root and the signature, also in the form that witnesses and verifiers of C2SP take. Whoever keeps a checkpoint can prove later that nothing before it was changed.',
      problems: ['checkpoint_missing'],
      answer: {
        origin,
        size: 3_267,
        rootHash: root,
        publishedAt: desk.wednesday,
        checkpoint,
        verifierKeys: [`${origin}+9ff9be1d+ATMGD4iy1otqU1qsfnPv1+tie6pgIYv6DnsFFptWJT6n`],
        cosignedBy: [],
      },
    },
    getAuditConsistencyProof: {
      text: 'Proves that the tree of the size `to` begins with the tree of the size `from`: that between two checkpoints nothing was taken out and nothing rewritten. Both sizes lie within the published checkpoint.',
      problems: ['checkpoint_missing', 'tree_size_out_of_range'],
      answer: { from: 741, to: 3_267, fromRootHash: hashes[0], toRootHash: root, consistencyPath: hashes },
    },
    exportAuditJournal: {
      text: 'Sends the team’s journal as lines of JSON, with proofs and checkpoint, so that it verifies without this service: `chancery audit verify`. It holds the team’s entries and no other’s, as of the moment of the request. `after` begins behind an entry’s number, for exports that go on from the one before. That it was exported is an act of its own.',
      records: ['audit.exported'],
      problems: ['forbidden', 'checkpoint_missing'],
    },
    getAuditInclusionProof: {
      text: 'Proves that one entry is a leaf of the journal’s tree: the record exactly as it was hashed, the path to the root, and the checkpoint that signs the root. `tlogProof` is the same as one text that C2SP tools take. An entry becomes a leaf within about a second of its act; before that it is 409 `entry_not_integrated`.',
      problems: ['checkpoint_missing', 'entry_not_integrated'],
      answer: {
        record: {
          v: 1,
          id: desk.entry,
          number: 118,
          teamId: desk.team.id,
          type: entry.type,
          actor: entry.actor,
          target: entry.target,
          at: '2026-03-11T14:05:00.000000Z',
          requestId: entry.requestId,
          ip: 'QVB8/SkTyijdvrLytF8P9+R4FfcliOVHhCVUnxQ3dmU=',
          data: entry.data,
          salt: '019d2f4e-6a00-7c2b-9a54-000000000093',
        },
        index: 3_190,
        treeSize: 3_267,
        leafHash: 'aLgnPOJ2hOVybX9pSbc16FJJ8axcgQWMh2U+lgkO+hY=',
        inclusionPath: hashes,
        checkpoint,
        tlogProof: `c2sp.org/tlog-proof@v1\nindex 3190\n${hashes.join('\n')}\n\n${checkpoint}`,
      },
    },
    getTlogCheckpoint: {
      text: 'The signed checkpoint of the journal’s tree as text, in the form of C2SP tlog-checkpoint: what witnesses and monitors poll. It names no team and nothing that happened, only how large the tree is and its root.',
      problems: ['checkpoint_missing'],
    },
    getTlogTile: {
      text: 'A tile of hashes of the journal’s tree, or a bundle of the commitments to its entries, in the form of C2SP tlog-tiles, from which anybody computes the root for themself. Full tiles never change and may be kept for good. The commitments are salted, so that they tell nothing of the entries.',
    },
  },
  members: {
    events: 'The entries, newest first unless `sort` says otherwise',
    'AuditEntry.type': 'What was done',
    'AuditRecord.type': 'What was done',
    'actor.type': '`user`, `client`, `agent`, `staff` or `system`',
    'target.type': 'The kind of thing',
    'AuditRecord.v': 'The version of the form of records',
    'AuditRecord.ip': 'The address that the request came from, as a salted hash',
    'address.ip': 'The address that the request came from',
    'AuditCheckpoint.size': 'How many leaves the tree has',
    'AuditCheckpoint.publishedAt': 'When it was signed',
    'AuditConsistencyProof.from': 'The smaller size',
    'AuditConsistencyProof.to': 'The larger size',
    'AuditConsistencyProof.consistencyPath': 'Hashes in base64, as RFC 9162 §2.1.4 puts them together',
    'AuditInclusionProof.index': 'The place of the leaf, counted from 0',
    'AuditInclusionProof.treeSize': 'How many leaves the tree of the checkpoint has',
    'AuditInclusionProof.inclusionPath': 'Hashes in base64, as RFC 9162 §2.1.3 puts them together',
  },
};
