import { failedPack } from './evidence.ts';
import { waitingBatch } from './signature-batches.ts';
import { insertTool, serverBody } from './mcp-tools.ts';
import assert from 'node:assert/strict';
import { createAuthenticator } from './authenticator.ts';
import type { Chancery, User } from './harness.ts';
import { insertSeat } from './memberships.ts';
import { askToSign } from './signatures.ts';
import { plainPdf } from './plain-pdf.ts';
import { submitFile } from './submissions.ts';
import { policyBody } from './operations/approval-policies.ts';
import { seedBooking } from './operations/bookings.ts';
import { connectedApp } from './connected-apps.ts';

/**
 * Creates one resource of each kind through the API, and returns the ids by path. A new domain adds its resources here. The isolation tests fail for
 * an area with an id in a path and no resource here.
 */
export async function seedEverything(chancery: Chancery, owner: User): Promise<Record<string, string>> {
  const member = await chancery.user(owner.team);
  const auditor = await chancery.user(owner.team, { role: 'auditor' });
  await insertSeat(chancery.pool, owner.team, auditor.id);
  const folder = await chancery.folder(owner, { name: 'Seeded' });
  const share = await ok(
    chancery.call('POST', `/api/v1/smartdoc/folders/${folder.id}/shares`, {
      token: owner.token,
      body: { userId: member.id, access: 'read' },
    }),
  );
  const form = new FormData();
  form.set('title', 'Seeded contract');
  await ok(
    chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}/retention`, {
      token: owner.token,
      body: { action: 'keep', after: 'P10Y', from: 'created' },
    }),
  );
  form.set('file', new Blob([new Uint8Array(plainPdf(['Seeded contract']))], { type: 'application/pdf' }), 'contract.pdf');
  const document = await ok(chancery.call('POST', '/api/v1/smartdoc/documents/', { token: owner.token, body: form }));
  const grant = await ok(
    chancery.call('POST', `/api/v1/smartdoc/documents/${document.id}/access`, {
      token: owner.token,
      body: { userId: member.id, access: 'read' },
    }),
  );
  const comment = await ok(
    chancery.call('POST', `/api/v1/smartdoc/documents/${document.id}/comments`, { token: owner.token, body: { text: 'Seeded' } }),
  );
  const signature = await askToSign(chancery, owner, { message: 'Seeded' });
  const legalHoldFolder = await chancery.folder(owner, { name: 'Seeded and held' });
  const hold = await ok(
    chancery.call('POST', '/api/v1/smartdoc/holds', { token: owner.token, body: { folderId: legalHoldFolder.id, reason: 'Seeded' } }),
  );
  const barred = await chancery.folder(member, { name: 'Seeded behind a barrier' });
  await ok(chancery.call('PUT', `/api/v1/smartdoc/folders/${barred.id}/barrier`, { token: member.token, body: { userIds: [] } }));
  const emergency = await ok(
    chancery.call('POST', `/api/v1/barriers/${barred.id}/emergency-access`, { token: owner.token, body: { reason: 'Seeded' } }),
  );
  const endpoint = await ok(
    chancery.call('POST', '/api/v1/webhooks/', {
      token: owner.token,
      body: { name: 'Seeded', url: 'https://receiver.example/hook', events: ['*'] },
    }),
  );
  const workflow = await ok(
    chancery.call('POST', '/api/v1/workflows/', {
      token: owner.token,
      body: {
        name: 'Seeded workflow',
        documentId: document.id,
        steps: [
          { id: 'a', type: 'task', dependsOn: [] },
          { id: 'b', type: 'review', dependsOn: ['a'] },
          {
            id: 'c',
            type: 'approval',
            dependsOn: [],
            config: { approval: { rules: [{ id: 'one', need: [{ count: 1, from: [`user:${member.id}`] }] }] } },
          },
        ],
      },
    }),
  );
  const invitation = await ok(
    chancery.call('POST', '/api/v1/team/invitations', {
      token: owner.token,
      body: { email: 'seeded.guest@example.org', role: 'member' },
    }),
  );
  const policy = await ok(chancery.call('POST', '/api/v1/approval-policies/', { token: owner.token, body: policyBody() }));
  const group = await ok(chancery.call('POST', '/api/v1/groups/', { token: owner.token, body: { name: 'Seeded' } }));
  await ok(chancery.call('POST', `/api/v1/groups/${group.id}/members`, { token: owner.token, body: { userId: member.id } }));
  const matter = await ok(chancery.call('POST', '/api/v1/matters/', { token: owner.token, body: { name: 'Seeded' } }));
  const ofMatter = (part: string, body: object) =>
    ok(chancery.call('POST', `/api/v1/matters/${matter.id}/${part}`, { token: owner.token, body }));
  const deadline = await ofMatter('deadlines', { title: 'Seeded', dueDate: '2099-04-01' });
  const shareOfMatter = await ofMatter('access', { userId: member.id, access: 'read' });
  const matterClient = await ok(chancery.call('POST', '/api/v1/matter-clients/', { token: owner.token, body: { name: 'Seeded' } }));
  await ok(chancery.call('POST', `/api/v1/workflows/${workflow.id}/start`, { token: owner.token }));
  const [round] = await ok(chancery.call('GET', `/api/v1/approvals?workflowId=${workflow.id}`, { token: owner.token }));
  const tasks = await ok(chancery.call('GET', '/api/v1/tasks/', { token: owner.token }));
  const deliveries = await ok(chancery.call('GET', `/api/v1/webhooks/${endpoint.id}/deliveries`, { token: owner.token }));
  const client = await ok(
    chancery.call('POST', '/api/v1/security/clients/', {
      token: owner.token,
      body: { name: 'Seeded client', scopes: ['tasks:read', 'webhooks:write'] },
    }),
  );
  const app = await connectedApp(chancery, owner);
  const passkey = await ok(
    chancery.call('POST', '/api/v1/security/auth/passkeys', {
      token: owner.token,
      body: {
        name: 'Seeded key',
        response: createAuthenticator().create(
          await ok(chancery.call('POST', '/api/v1/security/auth/passkeys/options', { token: owner.token })),
        ),
      },
    }),
  );
  const connection = await ok(
    chancery.call('POST', '/api/v1/team/sso', {
      token: owner.token,
      body: { issuer: 'https://login.example', clientId: 'seeded', clientSecret: 'seeded secret', domains: ['seeded.example'] },
    }),
  );
  const directory = await ok(
    chancery.call('POST', '/api/v1/team/directories', { token: owner.token, body: { name: 'Seeded directory', kind: 'other' } }),
  );
  const directoryToken = await ok(
    chancery.call('POST', `/api/v1/team/directories/${directory.id}/tokens`, { token: owner.token, body: {} }),
  );
  const { rows: identities } = await chancery.pool.query(
    `INSERT INTO federated_identity (team_id, id, issuer, subject, account_id, connection_id, created_at, last_used_at)
     VALUES ($1, gen_random_uuid(), 'https://login.example', 'seeded', $2, $3, now(), now()) RETURNING id`,
    [owner.team, owner.id, connection.id],
  );
  const intake = await ok(
    chancery.call('POST', '/api/v1/interfaces/', {
      token: owner.token,
      body: {
        title: 'Seeded form',
        type: 'form',
        fields: [
          { id: 'name', type: 'text', label: 'Name' },
          { id: 'file', type: 'file', label: 'File' },
        ],
      },
    }),
  );
  const { publicToken } = await ok(
    chancery.call('POST', `/api/v1/interfaces/${intake.id}/publish`, { token: owner.token, body: { revision: 1 } }),
  );
  const { submissionId, fileId } = await submitFile(chancery, publicToken);
  const exported = await ok(
    chancery.call('POST', `/api/v1/interfaces/${intake.id}/submissions/exports`, { token: owner.token, body: { format: 'csv' } }),
  );
  const registry = await ok(
    chancery.call('POST', '/api/v1/registries/', {
      token: owner.token,
      body: { name: 'Seeded registry', fields: [{ id: 'name', type: 'text', label: 'Name' }] },
    }),
  );
  const registries = `/api/v1/registries/${registry.id}`;
  const grantOfRegistry = await ok(
    chancery.call('POST', `${registries}/access`, { token: owner.token, body: { userId: member.id, access: 'read' } }),
  );
  const record = await ok(
    chancery.call('POST', `${registries}/records`, { token: owner.token, body: { data: { name: 'Seeded record' } } }),
  );
  const table = new FormData();
  table.set('file', new Blob(['name\nSeeded by a file\n'], { type: 'text/csv' }), 'records.csv');
  const imported = await ok(chancery.call('POST', `${registries}/records/import`, { token: owner.token, body: table }));
  await ok(chancery.call('PATCH', `${registries}/records/${record.id}`, { token: owner.token, body: { data: { name: 'Seeded again' } } }));
  const template = await ok(chancery.call('POST', '/api/v1/document-templates/library/nda', { token: owner.token }));
  const grantOfTemplate = await ok(
    chancery.call('POST', `/api/v1/document-templates/${template.id}/access`, {
      token: owner.token,
      body: { userId: member.id, access: 'read' },
    }),
  );
  // Inserts the link to the template directly, because rendering a template takes 1 s.
  await chancery.pool.query(
    "INSERT INTO document_from_template (team_id, document_id, template_id, number, source) VALUES ($1, $2, $3, 1, 'data')",
    [owner.team, document.id, template.id],
  );
  const pack = await failedPack(chancery.pool, owner, document.id);
  const toMany = await waitingBatch(chancery.pool, owner);
  const booking = await seedBooking(chancery, owner.team, intake.id, owner.token);
  const editors = await ok(
    chancery.call('POST', `/api/v1/interfaces/${intake.id}/shares`, {
      token: owner.token,
      body: { userId: member.id, rights: ['edit'] },
    }),
  );
  const agent = await ok(chancery.call('POST', '/ws/api/agents/', { token: owner.token, body: { name: 'Seeded agent' } }));
  const agentClient = await chancery.client(owner, ['agents:run']);
  const agentCaller = await ok(
    chancery.call('PUT', `/ws/api/agents/${agent.id}/callers`, { token: owner.token, body: { clientId: agentClient.id } }),
  );
  const agentJob = await ok(
    chancery.call('POST', '/ws/api/agents/cron', {
      token: owner.token,
      body: { name: 'Seeded job', agentId: agent.id, cron: '0 0 1 1 *', message: 'Look' },
    }),
  );
  const agentRun = await ok(chancery.call('POST', `/ws/api/agents/cron/${agentJob.id}/run`, { token: owner.token }));
  const agentShare = await ok(
    chancery.call('POST', `/ws/api/agents/${agent.id}/shares`, { token: owner.token, body: { userId: member.id } }),
  );
  await ok(chancery.call('PUT', `/ws/api/agents/${agent.id}/files/seeded.md`, { token: owner.token, body: { content: 'Seeded' } }));
  const content = '---\nname: seeded-skill\ndescription: Seeded.\n---\nSeeded\n';
  await ok(chancery.call('POST', '/ws/api/agents/skills', { token: owner.token, body: { content } }));
  const server = await ok(
    chancery.call('POST', '/ws/api/agents/mcp-servers', {
      token: owner.token,
      body: { ...serverBody(), slug: 'seeded', credential: { value: 'Bearer seeded' } },
    }),
  );
  await insertTool(chancery, server.id);
  await ok(
    chancery.call('PUT', `/api/v1/tasks/delegations/${member.id}`, {
      token: owner.token,
      body: { toUserId: owner.id, until: new Date(Date.now() + 86_400_000).toISOString(), kinds: ['seeded'] },
    }),
  );
  const journal = await ok(chancery.call('GET', '/api/v1/security/audit?limit=1', { token: owner.token }));
  return {
    '/api/v1/security/audit': journal.events[0].id,
    '/api/v1/staff/teams': owner.team,
    '/api/v1/staff/interfaces/{teamId}/{id}/suspend#teamId': owner.team,
    '/api/v1/staff/interfaces/{teamId}/{id}/suspend#id': intake.id,
    '/api/v1/staff/interfaces/{teamId}/{id}/resume#teamId': owner.team,
    '/api/v1/staff/interfaces/{teamId}/{id}/resume#id': intake.id,
    '/api/v1/staff/interfaces/{teamId}/{id}/dismiss-reports#teamId': owner.team,
    '/api/v1/staff/interfaces/{teamId}/{id}/dismiss-reports#id': intake.id,
    '/api/v1/staff/users': owner.id,
    '/api/v1/team/members/{userId}': member.id,
    '/api/v1/team/auditors/{userId}': auditor.id,
    '/api/v1/team/members/{userId}/identities/{id}#id': identities[0].id,
    '/api/v1/team/members/{userId}/identities/{id}#userId': owner.id,
    '/api/v1/matters': matter.id,
    '/api/v1/matters/{id}/deadlines/{deadlineId}#deadlineId': deadline.id,
    '/api/v1/matters/{id}/access/{grantId}#grantId': shareOfMatter.id,
    '/api/v1/matter-clients': matterClient.id,
    '/api/v1/approval-policies/{name}': policy.name,
    '/api/v1/groups': group.id,
    '/api/v1/groups/{id}/members/{userId}#userId': member.id,
    '/api/v1/team/invitations': invitation.id,
    '/api/v1/security/auth/identities': identities[0].id,
    '/api/v1/team/directories': directory.id,
    '/api/v1/team/directories/{id}/tokens/{tokenId}#tokenId': directoryToken.id,
    '/api/v1/team/sso': connection.id,
    '/api/v1/team/sso/{id}/identities/{userId}#userId': member.id,
    '/api/v1/smartdoc/folders': folder.id,
    '/api/v1/smartdoc/folders/{id}/shares/{shareId}#shareId': share.id,
    '/api/v1/smartdoc/folders/{id}/access/{grantId}#grantId': share.id,
    '/api/v1/barriers': barred.id,
    '/api/v1/barriers/{id}/emergency-access/{emergencyAccessId}/approve#emergencyAccessId': emergency.id,
    '/api/v1/smartdoc/documents/{id}/access/{grantId}#grantId': grant.id,
    '/api/v1/smartdoc/documents/{id}/comments/{commentId}#commentId': comment.id,
    '/api/v1/smartdoc/documents': document.id,
    '/api/v1/smartdoc/holds': hold.id,
    '/api/v1/evidence': pack.id,
    '/api/v1/signatures/bulk': toMany.id,
    '/api/v1/signatures': signature.id,
    '/api/v1/signatures/{id}/signers/{signerId}#signerId': signature.signers[0].id,
    '/api/v1/signatures/{id}/signers/{signerId}/resend#signerId': signature.signers[0].id,
    '/api/v1/workflows': workflow.id,
    '/api/v1/workflows/document/{documentId}#documentId': document.id,
    '/api/v1/approvals': round.id,
    '/api/v1/tasks/delegations/{userId}': member.id,
    '/api/v1/tasks': tasks[0].id,
    '/api/v1/interfaces': intake.id,
    '/api/v1/interfaces/public/{token}/registry/{registryTypeId}': registry.id,
    '/api/v1/registries/{typeId}/records': record.id,
    '/api/v1/registries/{typeId}/imports': imported.id,
    '/api/v1/registries/{typeId}': registry.id,
    '/api/v1/registries': registry.id,
    '/api/v1/document-templates/{id}/access/{grantId}#grantId': grantOfTemplate.id,
    '/api/v1/document-templates': template.id,
    '/api/v1/registries/{id}/access/{grantId}#grantId': grantOfRegistry.id,
    '/api/v1/interfaces/{id}/shares/{shareId}#shareId': editors.id,
    '/api/v1/interfaces/{id}/submissions/{submissionId}/files/{fileId}#fileId': fileId,
    '/api/v1/interfaces/{id}/submissions/{submissionId}': submissionId,
    '/api/v1/interfaces/{id}/submissions/exports/{exportId}': exported.id,
    '/ws/api/agents/cron/{id}': agentJob.id,
    '/ws/api/agents/runs/{id}': agentRun.runId,
    '/ws/api/agents/cron/{id}/runs/{runId}#runId': agentRun.runId,
    '/ws/api/agents/{agentId}': agent.id,
    '/ws/api/agents/{agentId}/files/{fileName}': 'seeded.md',
    '/ws/api/agents/{agentId}/shares/{shareId}#shareId': agentShare.id,
    '/ws/api/agents/{agentId}/callers/{clientId}#clientId': agentCaller.clientId,
    '/ws/api/agents/skills/{skillName}': 'seeded-skill',
    '/ws/api/agents/mcp-servers/{serverId}': server.id,
    '/ws/api/agents/mcp-servers/{serverId}/tools/{toolName}': 'walked_tool',
    '/api/v1/webhooks': endpoint.id,
    ...(deliveries[0] ? { '/api/v1/webhooks/{id}/deliveries/{deliveryId}': deliveries[0].id } : {}),
    '/api/v1/interfaces/{id}/bookings/{bookingId}': booking.bookingId,
    '/api/v1/interfaces/booking/{teamId}': owner.team,
    '/api/v1/interfaces/booking/{teamId}/{token}': booking.manageToken,
    '/api/v1/security/clients': client.id,
    '/api/v1/security/auth/passkeys': passkey.id,
    '/api/v1/security/auth/connected-apps': app.id,
    '/api/v1/security/auth/sessions': owner.sessionId,
  };
}

async function ok(answering: ReturnType<Chancery['call']>): Promise<any> {
  const answer = await answering;
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}
