import { randomUUIDv7 } from 'node:crypto';
import { agentJobAccess } from '../operations/agent-jobs.ts';
import { approvalAccess } from '../operations/approvals.ts';
import { agentAccess } from '../operations/agents.ts';
import { directoryAccess } from '../operations/directories.ts';
import { groupAccess } from '../operations/groups.ts';
import { overviewAccess } from '../operations/overview.ts';
import { matterAccess } from '../operations/matters.ts';
import { interfaceAccess } from '../operations/interfaces.ts';
import { documentAccess } from '../operations/documents.ts';
import { evidenceAccess } from '../operations/evidence.ts';
import { signatureBatchAccess } from '../operations/signature-batches.ts';
import { approvalPolicyAccess } from '../operations/approval-policies.ts';
import { documentTemplateAccess } from '../operations/document-templates.ts';
import { registryAccess } from '../operations/registries.ts';
import { bookingAccess } from '../operations/bookings.ts';
import { signatureAccess } from '../operations/signatures.ts';
import { taskAccess } from '../operations/tasks.ts';
import { newAddress } from '../suites/acts/kit.ts';
import { act, type Body, open, own, type Row, rows, searched, seeded, staff, thing } from './rows.ts';
import { file, type Thing } from './things.ts';

const adminsAndClients = 'y y 403 · · · 403 · 403 y 403 403';
const persons = 'y y y · · · y · y y 403 403';

const dayMs = 86_400_000;
const seat = () => ({
  email: newAddress(),
  endsAt: new Date(Date.now() + 30 * dayMs).toISOString(),
  journalFrom: '2020-01-01T00:00:00Z',
  journalTo: '2030-01-01T00:00:00Z',
  mayExport: false,
});

const folderRows = rows('/api/v1/smartdoc/folders', {
  'GET /': thing('folder', 's s s s s · u s u s s s'),
  'POST /': thing('folder', 'y y y · · · y · 403 y 403 403', () => ({ name: `Mine ${randomUUIDv7()}` })),
  'POST / under another’s folder': thing('folder', 'y y y y 422 · 422 403 403 y 403 403', (_, { id }) => ({
    name: randomUUIDv7(),
    parentId: id,
  })),
  'GET /{id}': thing('folder', 'y y y y y · 404 y 404 y y y'),
  'PUT /{id}': thing('folder', 'y y y y 403 · 404 403 403 y 403 403', () => ({ description: 'New' })),
  'DELETE /{id}': thing('subfolder', 'y y y y 403 · 404 403 403 y 403 403'),
  'PATCH /{id}/move to the top': thing('subfolder', 'y y y 403 403 · 404 403 403 403 403 403', () => ({ parentId: null })),
  'PATCH /{id}/move within its tree': thing('subfolder', 'y y y y 403 · 404 403 403 y 403 403', (_, { above }) => ({ parentId: above })),
  'PATCH /{id}/move to where more people reach it': thing('besideWider', 'y y y 403 403 · 404 403 403 403 403 403', (_, { wide }) => ({
    parentId: wide,
  })),
  'POST /{id}/restore': thing('binnedFolder', 'y y y 404 404 · 404 403 403 y 403 403'),
  'GET /{id}/shares': thing('folder', 'y y y y y · 404 y 404 y y y'),
  'POST /{id}/shares': thing('folder', 'y y y 403 403 · 404 403 403 403 403 403', ({ people }) => ({
    userId: people.member.id,
    access: 'read',
  })),
  'POST /{id}/shares of what a client made': thing('clientFolder', 'y y · · · · 404 · 403 y 403 403', ({ people }) => ({
    userId: people.member.id,
    access: 'read',
  })),
  'POST /{id}/shares of what a client made, with what is another’s in it': thing(
    'mixedFolder',
    'y y · · · · 404 · 403 403 403 403',
    ({ people }) => ({
      userId: people.reader.id,
      access: 'read',
    }),
  ),
  'DELETE /{id}/shares/{shareId}': thing('folder', 'y y y 403 403 · 404 403 403 403 403 403'),
  'GET /{id}/access': thing('folder', 'y y y 403 403 · 404 403 404 403 403 403'),
  'DELETE /{id}/access/{grantId}': thing('folder', 'y y y 403 403 · 404 403 403 403 403 403'),
  'GET /{id} behind a barrier': thing('barred', '404 404 y 404 y · 404 404 404 404 404 404'),
  'GET /{id}/shares behind a barrier': thing('barred', '404 404 y 404 y · 404 404 404 404 404 404'),
  'GET /{id}/barrier': thing('barred', '404 404 y 404 y · 404 404 404 403 404 404'),
  'PUT /{id}/barrier': thing('folder', 'y y y 403 403 · 404 403 403 403 403 403', ({ people }) => ({ userIds: [people.reader.id] })),
  'DELETE /{id}/barrier': thing('barred', '404 404 y 404 403 · 404 403 403 403 403 403'),
  'GET /{id}/shares by emergency access': thing('emergencyAccess', '404 y y 404 y · 404 404 404 404 404 404'),
  'PUT /{id} by emergency access': thing('emergencyAccess', '404 403 y 404 403 · 404 403 403 404 403 403', () => ({ description: 'New' })),
  'PUT /{id}/barrier by emergency access': thing('emergencyAccess', '404 403 y 404 403 · 404 403 403 403 403 403', ({ people }) => ({
    userIds: [people.reader.id, people.admin.id],
  })),
  'DELETE /{id}/barrier by emergency access': thing('emergencyAccess', '404 403 y 404 403 · 404 403 403 403 403 403'),
});

const barrierRows = rows('/api/v1/barriers', {
  'GET /': thing('barred', 's s 403 403 403 · 403 403 403 403 403 403'),
  'GET /{id}/emergency-access': thing('barred', 'y y y 404 403 · 404 404 404 403 404 404'),
  'POST /{id}/emergency-access': thing('barred', 'y y 403 404 403 · 404 403 403 403 403 403', () => ({ reason: 'Discovery' })),
  'POST /{id}/emergency-access/{emergencyAccessId}/approve': thing('emergencyRequested', 'y 403 y 404 403 · 404 403 403 403 403 403'),
});

/** Searches by title: each document has a unique title. */
const searching = ({ title = '' }: Thing) => `?q=${encodeURIComponent(title)}`;

const documentRows = rows('/api/v1/smartdoc/documents', {
  'GET /': thing('document', 's s s s s · u s u s s s'),
  'GET /search': searched('document', 's s s s s · u s u s s s', searching),
  'GET /search by a task': searched('documentOfTask', 's s s · · s u s u s u u', searching),
  'GET /search behind a barrier': searched('barredDocument', 'u u s u s u u u u u u u', searching),
  'GET /search by emergency access': searched('emergencyDocument', 'u s s u s u u u u u u u', searching),
  'GET /search of the bin': searched('binnedDocument', 'u u u u u · u u u u u u', searching),
  'POST /': thing('document', 'y y y · · · y · 403 y y 403', () => file()),
  'POST / into another’s folder': thing('document', 'y y y y 422 · 422 403 403 y y 403', (_, { folder = '' }) =>
    file(undefined, { folderId: folder }),
  ),
  'GET /{id}': thing('document', 'y y y y y · 404 y 404 y y y'),
  'GET /{id} by a task': thing('documentOfTask', 'y y y · · y 404 y 404 y 404 404'),
  'PUT /{id}': thing('document', 'y y y y 403 · 404 403 403 y y 403', () => ({ description: 'New' })),
  'PUT /{id} by a task': thing('documentOfTask', 'y y y · · 403 404 403 403 y 404 403', () => ({ description: 'New' })),
  'PATCH /{id}/move out of the folder': thing('document', 'y y y 403 403 · 404 403 403 403 403 403', () => ({ folderId: null })),
  'POST /move out of the folder': thing('document', 'y y y 403 403 · 404 403 403 403 403 403', (_, { id }) => ({
    documentIds: [id],
    folderId: null,
  })),
  'POST /move to where more people reach it': thing(
    'documentBesideWider',
    'y y y 403 422 · 404 403 403 403 403 403',
    (_, { id, wide }) => ({
      documentIds: [id],
      folderId: wide,
    }),
  ),
  'PATCH /{id}/move to where more people reach it': thing(
    'documentBesideWider',
    'y y y 403 422 · 404 403 403 403 403 403',
    (_, { wide }) => ({
      folderId: wide,
    }),
  ),
  'DELETE /{id}': thing('document', 'y y y y 403 · 404 403 403 y y 403'),
  'POST /label': thing('document', 'y y y y 403 · 404 403 403 y y 403', (_, { id }) => ({ items: [{ id, labels: ['seen'] }] })),
  'POST /delete': thing('document', 'y y y y 403 · 404 403 403 y y 403', (_, { id }) => ({ items: [{ id }] })),
  'GET /{id}/comments': thing('document', 'y y y y y · 404 y 404 y y y'),
  'GET /{id}/comments behind a barrier': thing('barredDocument', '404 404 y 404 y 404 404 404 404 404 404 404'),
  'POST /{id}/comments': thing('document', 'y y y y y · 404 403 403 y y 403', () => ({ text: 'Seen' })),
  'POST /{id}/comments by emergency access': thing('emergencyDocument', '404 403 y 404 y 404 404 403 403 404 404 403', () => ({
    text: 'Seen',
  })),
  'DELETE /{id}/comments/{commentId}': thing('commentedDocument', '403 403 y 403 403 · 404 403 403 403 403 403'),
  'GET /{id}/versions': thing('document', 'y y y y y · 404 y 404 y y y'),
  'POST /{id}/versions': thing('document', 'y y y y 403 · 404 403 403 y y 403', () => file()),
  'GET /{id}/content': thing('document', 'y y y y y · 404 y 404 y y y'),
  'GET /{id}/content by a task': thing('documentOfTask', 'y y y · · y 404 y 404 y 404 404'),
  'POST /download': thing('document', 'y y y y y · 404 y 404 y y 403', (_, { id }) => ({ documentIds: [id] })),
  'POST /download by a task': thing('documentOfTask', 'y y y · · y 404 y 404 y 404 403', (_, { id }) => ({ documentIds: [id] })),
  'POST /download of its folder': thing('document', 'y y y y y · 404 · 404 y y 403', (_, { folder = '' }) => ({ folderId: folder })),
  'POST /download behind a barrier': thing('barredDocument', '404 404 y 404 y 404 404 404 404 404 404 403', (_, { id }) => ({
    documentIds: [id],
  })),
  'GET /{id}/compare': searched('document', 'y y y y y · 404 y 404 y y y', () => '?from=1'),
  'GET /{id}/preview': thing('document', '422 422 422 422 422 · 404 422 404 422 422 422'),
  'GET /{id} behind a barrier': thing('barredDocument', '404 404 y 404 y 404 404 404 404 404 404 404'),
  'GET /{id}/content behind a barrier': thing('barredDocument', '404 404 y 404 y 404 404 404 404 404 404 404'),
  'GET /{id}/content by emergency access': thing('emergencyDocument', '404 y y 404 y 404 404 404 404 404 404 404'),
  'PUT /{id} by emergency access': thing('emergencyDocument', '404 403 y 404 403 404 404 403 403 404 404 403', () => ({
    description: 'New',
  })),
  'PATCH /{id}/move out by emergency access': thing('emergencyDocument', '404 403 y 404 403 404 404 403 403 404 404 403', () => ({
    folderId: null,
  })),
  'GET / behind a barrier': thing('barredDocument', 'u u s u s u u u u u u u'),
  'GET /bin': thing('binnedDocument', 's s s u u · u u u s u u'),
  'POST /{id}/restore': thing('binnedDocument', 'y y y 404 404 · 404 403 403 y 404 403'),
  'GET /{id}/access': thing('givenDocument', 'y y y · 403 · 404 · 404 403 404 404'),
  'POST /{id}/access': thing('givenDocument', 'y y y · 403 · 404 · 403 403 404 403', ({ people }) => ({
    userId: people.member.id,
    access: 'read',
  })),
  'DELETE /{id}/access/{grantId}': thing('givenDocument', 'y y y · 403 · 404 · 403 403 404 403'),
});

const workflowBody: Body = (world, { id }) => ({
  name: 'Walked',
  documentId: id,
  steps: [{ id: 'a', type: 'task', assignedTo: world.people.assignee.id }],
});
const listOf = 's s s u u s u s u s u 403';
const byCreator = 'y y y 404 404 403 404 403 403 403 403 403';
const workflowRows = rows('/api/v1/workflows', {
  'GET /': thing('started', listOf),
  'GET /active': thing('started', listOf),
  'GET /overdue': thing('overdueWorkflow', listOf),
  'GET /document/{documentId}': thing('started', listOf),
  'POST /': thing('document', 'y y y y y · y 403 403 y 403 403', workflowBody),
  'GET /{id}': thing('started', 'y y y 404 404 y 404 y 404 y 404 403'),
  'GET /{id}/access': thing('started', 'y y y 404 404 y 404 y 404 y 404 403'),
  'GET /{id}/diagram.svg': thing('started', 'y y y 404 404 y 404 y 404 y 404 403'),
  'GET /{id}/history': thing('started', 'y y y 404 404 y 404 y 404 y 404 403'),
  'GET /{id}/comments': thing('started', 'y y y 404 404 y 404 y 404 y 404 403'),
  'POST /{id}/comments': thing('started', 'y y y 404 404 y 404 403 403 y 403 403', () => ({ text: 'New' })),
  'PUT /{id}': thing('draft', 'y y y 404 404 404 404 403 403 403 403 403', () => ({ name: 'New' })),
  'DELETE /{id}': thing('draft', 'y y y 404 404 404 404 403 403 403 403 403'),
  'POST /{id}/start': thing('draft', 'y y y 404 404 404 404 403 403 403 403 403'),
  'POST /{id}/pause': thing('started', byCreator, () => ({})),
  'POST /{id}/resume': thing('paused', byCreator),
  'GET /{id} another’s, on a document of the creator': thing('startedByAnother', 'y y y 404 404 y 404 y 404 y 404 403'),
  'PUT /{id} another’s, on a document of the creator': thing('startedByAnother', 'y y 403 404 404 403 404 403 403 403 403 403', () => ({
    name: 'New',
  })),
  'POST /{id}/cancel another’s, on a document of the creator': thing(
    'startedByAnother',
    'y y y 404 404 403 404 403 403 403 403 403',
    () => ({}),
  ),
  'POST /{id}/cancel': thing('started', byCreator, () => ({})),
  'GET / behind a barrier': thing('startedBehindBarrier', 'u u s u u u u u u u u 403'),
  'GET /{id} behind a barrier': thing('startedBehindBarrier', '404 404 y 404 404 404 404 404 404 404 404 403'),
  'GET /{id}/history behind a barrier': thing('startedBehindBarrier', '404 404 y 404 404 404 404 404 404 404 404 403'),
  'POST /{id}/cancel behind a barrier': thing('startedBehindBarrier', '404 404 y 404 404 404 404 403 403 404 403 403', () => ({})),
  'GET /{id} with emergency access': thing('startedWithEmergencyAccess', '404 y y 404 404 404 404 404 404 404 404 403'),
  'POST /{id}/cancel with emergency access': thing(
    'startedWithEmergencyAccess',
    '404 403 y 404 404 404 404 403 403 404 403 403',
    () => ({}),
  ),
  'GET /templates/available': thing('template', 's s s · · · s · s s u 403'),
  'POST /templates': thing('template', 'y y y · · · y · 403 y 403 403', () => ({
    name: `own-${randomUUIDv7()}`,
    description: 'Own',
    steps: [{ id: 'a', type: 'task' }],
  })),
  'GET /templates/{name}': thing('template', 'y y y · · · y · y y 404 403'),
  'GET /templates/{name}/versions': thing('template', 'y y y · · · y · y y 404 403'),
  'PUT /templates/{name}': thing('template', 'y y y · · · 403 · 403 403 403 403', () => ({ description: 'New' })),
  'DELETE /templates/{name}': thing('template', 'y y y · · · 403 · 403 403 403 403'),
  'POST /templates/{name}': thing('template', 'y y y · · · y · 403 y 403 403', ({ people }) => ({
    documentId: 'DMS-1',
    assignees: { a: [people.assignee.id] },
  })),
});

const teamRows = rows('/api/v1/team', {
  'GET ': seeded(persons),
  'GET /usage': seeded(adminsAndClients),
  'PATCH ': act('y y 403 · · · 403 · 403 403 403 403'),
  'GET /policy': seeded(adminsAndClients),
  'PUT /policy': act('y 403 403 · · · 403 · 403 403 403 403'),
  'GET /working-time': seeded(persons),
  'PUT /working-time': act('y y 403 · · · 403 · 403 403 403 403'),
  'GET /branding': seeded(persons),
  'PATCH /branding': act('y y 403 · · · 403 · 403 403 403 403'),
  'POST /leave': own,
  'GET /members': thing('colleague', 's s s · · · s · s s 403 403'),
  'GET /members/{userId}/identities': seeded(adminsAndClients),
  'DELETE /members/{userId}/identities/{id}': act('y y 403 · · · 403 · 403 403 403 403'),
  'GET /members/{userId}': thing('colleague', persons),
  'PATCH /members/{userId}': thing('colleague', 'y y 403 · · · 403 · 403 403 403 403', () => ({ role: 'viewer' })),
  'DELETE /members/{userId}': thing('colleague', 'y y 403 · · · 403 · 403 403 403 403'),
  'GET /auditors': thing('auditor', 's s 403 · · · 403 · 403 403 403 403'),
  'POST /auditors': thing('folder', 'y 403 403 403 403 · 403 403 403 403 403 403', (_, { id }) => ({
    ...seat(),
    things: [{ type: 'folder', id }],
  })),
  'GET /auditors/{userId}': thing('auditor', 'y y 403 · · · 403 · 403 403 403 403'),
  'PATCH /auditors/{userId}': thing('auditor', 'y 403 403 · · · 403 · 403 403 403 403', () => ({ mayExport: true })),
  'DELETE /auditors/{userId}': thing('auditor', 'y 403 403 · · · 403 · 403 403 403 403'),
  'POST /invitations of a guest': thing('folder', 'y y 403 403 403 · 403 403 403 422 403 403', ({ people }, { id }) => ({
    email: newAddress(),
    role: 'guest',
    sponsorId: people.owner.id,
    endsAt: seat().endsAt,
    access: [{ type: 'folder', id, relation: 'viewer' }],
  })),
  'GET /invitations': thing('invitation', 's s 403 · · · 403 · 403 s 403 403'),
  'POST /invitations/batch': thing('invitation', adminsAndClients, () => ({ items: [{ email: newAddress(), role: 'viewer' }] })),
  'POST /invitations': thing('invitation', adminsAndClients, () => ({ email: newAddress(), role: 'viewer' })),
  'POST /invitations of an administrator': thing('invitation', 'y y 403 · · · 403 · 403 403 403 403', () => ({
    email: newAddress(),
    role: 'admin',
  })),
  'GET /invitations/{id}': thing('invitation', adminsAndClients),
  'DELETE /invitations/{id}': act(adminsAndClients),
  'POST /invitations/{id}/resend': act(adminsAndClients),
  'GET /invitations/received': own,
  'POST /invitations/preview': open,
  'POST /invitations/accept': open,
  'GET /sso': seeded(adminsAndClients),
  'POST /sso': act('y y 403 · · · 403 · 403 403 403 403'),
  'GET /sso/{id}': seeded(adminsAndClients),
  'PATCH /sso/{id}': act('y y 403 · · · 403 · 403 403 403 403'),
  'DELETE /sso/{id}': act('y y 403 · · · 403 · 403 403 403 403'),
  'DELETE /sso/{id}/identities/{userId}': act('y y 403 · · · 403 · 403 403 403 403'),
  'POST /sso/{id}/verify-domains': act('y y 403 · · · 403 · 403 403 403 403'),
});

const clientRows = rows('/api/v1/security/clients', {
  'GET /': seeded(adminsAndClients),
  'POST /': act('y y 403 · · · 403 · 403 403 403 403'),
  'GET /{id}': seeded(adminsAndClients),
  'PATCH /{id}': act('y y 403 · · · 403 · 403 403 403 403'),
  'DELETE /{id}': act('y y 403 · · · 403 · 403 403 403 403'),
  'POST /{id}/rotate-secret': act('y y 403 · · · 403 · 403 403 403 403'),
  'POST /{id}/take-over': act('y y 403 · · · 403 · 403 403 403 403'),
});

const webhookRows = rows('/api/v1/webhooks', {
  'GET /': seeded(adminsAndClients),
  'POST /': act(adminsAndClients),
  'GET /event-types': seeded(adminsAndClients),
  'GET /{id}': seeded('y y 403 · · · 403 · 403 404 403 403'),
  'PATCH /{id}': act('y y 403 · · · 403 · 403 404 403 403'),
  'DELETE /{id}': act('y y 403 · · · 403 · 403 404 403 403'),
  'POST /{id}/rotate-secret': act('y y 403 · · · 403 · 403 404 403 403'),
  'GET /{id}/settings': seeded('y y 403 · · · 403 · 403 404 403 403'),
  'PUT /{id}/settings': act('y y 403 · · · 403 · 403 404 403 403'),
  'GET /{id}/deliveries': seeded('y y 403 · · · 403 · 403 404 403 403'),
  'GET /{id}/deliveries/{deliveryId}': seeded('y y 403 · · · 403 · 403 404 403 403'),
  'GET /{id}/deliveries/{deliveryId}/attempts': seeded('y y 403 · · · 403 · 403 404 403 403'),
  'DELETE /{id}/deliveries/{deliveryId}/payload': act('y y 403 · · · 403 · 403 403 403 403'),
  'POST /{id}/deliveries/retry': act('y y 403 · · · 403 · 403 404 403 403'),
  'POST /{id}/deliveries/{deliveryId}/retry': act('y y 403 · · · 403 · 403 404 403 403'),
  'POST /{id}/test': act('y y 403 · · · 403 · 403 404 403 403'),
  'POST /{id}/recover': act('y y 403 · · · 403 · 403 404 403 403'),
});

const journalReaders = 'y y 403 · · · 403 · 403 y 403 y';
const auditRows = rows('/api/v1/security/audit', {
  'GET ': seeded(journalReaders),
  'GET /checkpoint': seeded(journalReaders),
  'GET /consistency': seeded(journalReaders, '?from=0&to=1'),
  'GET /export': seeded(adminsAndClients),
  'GET /{id}/proof': seeded('y y 403 · · · 403 · 403 y 403 404'),
});

const all = (row: Row, ...operations: string[]): Record<string, Row> => Object.fromEntries(operations.map((name) => [name, row]));

const auth = '/api/v1/security/auth';
const ownRows = all(
  own,
  `POST ${auth}/logout`,
  `GET ${auth}/sessions`,
  `DELETE ${auth}/sessions/{id}`,
  `PUT ${auth}/change-password`,
  `GET ${auth}/profile`,
  `PUT ${auth}/profile`,
  `GET ${auth}/profile/notifications`,
  `PUT ${auth}/profile/notifications`,
  `DELETE ${auth}/profile`,
  `POST ${auth}/profile/confirm-email`,
  `POST ${auth}/reauthenticate`,
  `POST ${auth}/reauthenticate/options`,
  `POST ${auth}/2fa/enable-init`,
  `POST ${auth}/2fa/enable-confirm`,
  `POST ${auth}/2fa/regenerate-codes`,
  `POST ${auth}/2fa/disable`,
  `GET ${auth}/passkeys`,
  `POST ${auth}/passkeys`,
  `POST ${auth}/passkeys/options`,
  `GET ${auth}/passkeys/{id}`,
  `PATCH ${auth}/passkeys/{id}`,
  `DELETE ${auth}/passkeys/{id}`,
  `GET ${auth}/identities`,
  `GET ${auth}/teams`,
  `POST ${auth}/teams`,
  `POST ${auth}/switch-team`,
  `DELETE ${auth}/identities/{id}`,
  `GET ${auth}/connected-apps`,
  `POST ${auth}/connected-apps`,
  `POST ${auth}/connected-apps/preview`,
  `PATCH ${auth}/connected-apps/{id}`,
  `DELETE ${auth}/connected-apps/{id}`,
  `POST ${auth}/sso/link`,
  `POST ${auth}/transfer-ownership`,
);

const publicRows = all(
  open,
  `GET ${auth}/altcha`,
  `POST ${auth}/register`,
  `POST ${auth}/verify-email`,
  `POST ${auth}/resend-verification`,
  `POST ${auth}/login`,
  `POST ${auth}/refresh`,
  `POST ${auth}/request-password-reset`,
  `POST ${auth}/reset-password`,
  `POST ${auth}/verify-totp`,
  `POST ${auth}/passkeys/login/options`,
  `POST ${auth}/passkeys/login`,
  `POST ${auth}/verify-passkey/options`,
  `POST ${auth}/verify-passkey`,
  `POST ${auth}/staff/login`,
  `POST ${auth}/staff/verify-totp`,
  `POST ${auth}/staff/refresh`,
  `POST ${auth}/staff/set-password`,
  `GET ${auth}/sso/start`,
  `GET ${auth}/sso/callback/{connectionId}`,
  `POST ${auth}/sso/{connectionId}/backchannel-logout`,
  `GET ${auth}/saml/{id}/metadata`,
  `POST ${auth}/saml/{id}/acs`,
  `GET ${auth}/saml/{id}/finish`,
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/jwks.json',
  'GET /.well-known/witness-jwks.json',
  'GET /.well-known/webhook-jwks.json',
  'GET /.well-known/seal-authority.pem',
  'GET /.well-known/seal-certificates.pem',
  'GET /.well-known/seal-revocations.crl',
  'POST /api/v1/workflows/{id}/steps/{stepId}/answer',
  'GET /.well-known/evidence-jwks.json',
  'GET /api/v1/interfaces/public/{token}',
  'GET /api/v1/interfaces/public/{token}/suggest',
  'GET /api/v1/interfaces/public/{token}/availability',
  'GET /api/v1/interfaces/public/{token}/registry/{registryTypeId}',
  'GET /api/v1/interfaces/public/{token}/submission/booking',
  'POST /api/v1/interfaces/public/{token}/upload',
  'POST /api/v1/interfaces/api/{token}/upload',
  'GET /api/v1/interfaces/public/{token}/submission/status',
  'PUT /api/v1/interfaces/public/{token}/draft',
  'GET /api/v1/interfaces/public/{token}/draft',
  'DELETE /api/v1/interfaces/public/{token}/draft',
  'POST /api/v1/interfaces/public/{token}/draft/link',
  'POST /api/v1/interfaces/public/{token}/draft/resume',
  'GET /api/v1/interfaces/public/{token}/submission/pdf',
  'GET /api/v1/interfaces/api/{token}',
  'GET /api/v1/interfaces/public/{token}/altcha',
  'POST /api/v1/interfaces/public/{token}/submit',
  'POST /api/v1/interfaces/api/{token}/submit',
  'GET /api/v1/downloads/{token}',
  'GET /tlog/checkpoint',
  'GET /tlog/tile/{path}',
  'POST /api/v1/mail/bounces',
  'GET /healthz',
  'GET /readyz',
  'GET /dev/mail.json',
  'POST /oauth/register',
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /oauth/introspect',
  'POST /api/v1/issued-documents/verify',
  'POST /api/v1/signatures/verify',
  'GET /api/v1/signatures/public/{token}',
  'POST /api/v1/signatures/public/{token}/open',
  'GET /api/v1/signatures/public/{token}/document',
  'GET /api/v1/signatures/public/{token}/sealed',
  'POST /api/v1/signatures/public/{token}/code',
  'POST /api/v1/signatures/public/{token}/code/check',
  'POST /api/v1/signatures/public/{token}/sign',
  'POST /api/v1/signatures/public/{token}/decline',
  'POST /api/v1/signatures/public/{token}/delegate',
);

const staffRows = all(
  staff,
  `POST ${auth}/staff/logout`,
  `GET ${auth}/staff/profile`,
  `POST ${auth}/staff/reauthenticate`,
  `POST ${auth}/staff/totp/setup-init`,
  `POST ${auth}/staff/totp/setup-confirm`,
  `POST ${auth}/staff/totp/regenerate-backup`,
  `POST ${auth}/staff/totp/disable`,
  'GET /api/v1/staff/teams',
  'GET /api/v1/staff/teams/{id}',
  'POST /api/v1/staff/teams/{id}/suspend',
  'POST /api/v1/staff/teams/{id}/restore',
  'GET /api/v1/staff/teams/{id}/quotas',
  'PUT /api/v1/staff/teams/{id}/quotas',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/suspend',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/resume',
  'POST /api/v1/staff/interfaces/{teamId}/{id}/dismiss-reports',
  'GET /api/v1/staff/interface-reports',
  'GET /api/v1/staff/users',
  'GET /api/v1/staff/users/{id}',
  'POST /api/v1/staff/users/{id}/unlock',
  'POST /api/v1/staff/users/{id}/disable-2fa',
  'POST /api/v1/staff/users/{id}/revoke-sessions',
  'GET /api/v1/staff/audit',
);

/** The rows of each area, by `METHOD path`. Text after the path distinguishes several rows of one operation. */
export const accessTable: Record<string, Record<string, Row>> = {
  // First, because each caller exports the whole journal, which is still short.
  Journal: auditRows,
  Folders: folderRows,
  Barriers: barrierRows,
  Documents: documentRows,
  'Legal holds': documentAccess,
  Matters: matterAccess,
  Workflows: workflowRows,
  Tasks: taskAccess,
  Approvals: approvalAccess,
  'Approval policies': approvalPolicyAccess,
  Signatures: signatureAccess,
  Interfaces: interfaceAccess,
  Registries: registryAccess,
  'Document templates': documentTemplateAccess,
  'Signatures in bulk': signatureBatchAccess,
  Evidence: evidenceAccess,
  'Team, members, invitations and providers': teamRows,
  Groups: groupAccess,
  Directories: directoryAccess,
  'API clients': clientRows,
  Bookings: bookingAccess,
  Agents: agentAccess,
  'Jobs of agents': agentJobAccess,
  Overview: overviewAccess,
  Webhooks: webhookRows,
  'One’s own account': ownRows,
  'Without a credential': publicRows,
  'Those who run the service': staffRows,
};

/** Returns the operation of a row. */
export function operationOf(row: string): { method: string; path: string; name: string } {
  const [method = '', path = ''] = row.split(' ');
  return { method, path, name: `${method} ${path}` };
}
