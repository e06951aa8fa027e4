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
      text: 'Lists the audit actions of the team, the newest first. Each has its actor, target, time, address and request. The filters for type, actor, target and time combine; `sort=createdAt` starts with the oldest. `nextCursor` points to the next page, and `limit` is 1 to 200. Entries never change, and they stay as long as the team exists. Reading records nothing.',
      answer: { events: [entry], nextCursor: 'WyIyMDI2LTAzLTExIl0' },
    },
    getAuditCheckpoint: {
      text: 'Shows the newest signed checkpoint of the journal’s tree, whose leaves are the entries. It has the size, the root and the signature, also in the format of C2SP witnesses and verifiers. With a stored checkpoint a client can later prove that no earlier entry changed.',
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
      text: 'Proves that the tree of the size `to` begins with the tree of the size `from`. No entry was removed or changed between the two checkpoints. Both sizes are within the published checkpoint.',
      problems: ['checkpoint_missing', 'tree_size_out_of_range'],
      answer: { from: 741, to: 3_267, fromRootHash: hashes[0], toRootHash: root, consistencyPath: hashes },
    },
    exportAuditJournal: {
      text: 'Sends the team’s journal as JSON lines with proofs and a checkpoint. `chancery audit verify` verifies it without the service. It has only the entries of this team, as of the time of the request. `after` is the number of the last entry of an earlier export, to continue it. The journal records the export.',
      records: ['audit.exported'],
      problems: ['forbidden', 'checkpoint_missing'],
    },
    getAuditInclusionProof: {
      text: 'Proves that an entry is a leaf of the journal’s tree. The proof has the record exactly as hashed, the path to the root, and the checkpoint that signs the root. `tlogProof` has the same as one text for C2SP tools. An entry becomes a leaf within about a second; before that the response is 409 `entry_not_integrated`.',
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
      text: 'Returns the signed checkpoint of the journal’s tree as text, in the format C2SP tlog-checkpoint, for witnesses and monitors. It has only the size of the tree and its root, and no team or entry.',
      problems: ['checkpoint_missing'],
    },
    getTlogTile: {
      text: 'Returns a tile of hashes of the journal’s tree, or a bundle of the commitments to its entries, in the format C2SP tlog-tiles. Any client can calculate the root from them. Full tiles never change and may be cached permanently. The commitments are salted, so they disclose nothing about the entries.',
    },
  },
  members: {
    events: 'The entries, newest first unless `sort` says otherwise',
    'AuditEntry.type': 'The audit action',
    'AuditRecord.type': 'The audit action',
    'actor.type': '`user`, `client`, `agent`, `staff` or `system`',
    'target.type': 'The kind of resource',
    'AuditRecord.v': 'The version of the record format',
    'AuditRecord.ip': 'The address that the request came from, as a salted hash',
    'address.ip': 'The address that the request came from',
    'AuditCheckpoint.size': 'The number of leaves of the tree',
    'AuditCheckpoint.publishedAt': 'When it was signed',
    'AuditConsistencyProof.from': 'The smaller size',
    'AuditConsistencyProof.to': 'The larger size',
    'AuditConsistencyProof.consistencyPath': 'Hashes in base64, in the order of RFC 9162 §2.1.4',
    'AuditInclusionProof.index': 'The index of the leaf, from 0',
    'AuditInclusionProof.treeSize': 'The number of leaves of the checkpoint’s tree',
    'AuditInclusionProof.inclusionPath': 'Hashes in base64, in the order of RFC 9162 §2.1.3',
  },
};
