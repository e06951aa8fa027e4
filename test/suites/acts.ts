import { agentJobActs } from '../operations/agent-jobs.ts';
import { approvalActs } from '../operations/approvals.ts';
import { agentActs } from '../operations/agents.ts';
import { overviewActs } from '../operations/overview.ts';
import { directoryActs } from '../operations/directories.ts';
import { groupActs } from '../operations/groups.ts';
import { matterActs } from '../operations/matters.ts';
import { interfaceActs } from '../operations/interfaces.ts';
import { evidenceActs } from '../operations/evidence.ts';
import { signatureBatchActs } from '../operations/signature-batches.ts';
import { approvalPolicyActs } from '../operations/approval-policies.ts';
import { documentTemplateActs } from '../operations/document-templates.ts';
import { registryActs } from '../operations/registries.ts';
import { bookingActs } from '../operations/bookings.ts';
import { signatureActs } from '../operations/signatures.ts';
import { taskActs } from '../operations/tasks.ts';
import { accountActs } from './acts/account.ts';
import { clientActs } from './acts/clients.ts';
import { documentActs } from '../operations/documents.ts';
import { contentActs } from './acts/content.ts';
import { type Acts, alone } from './acts/kit.ts';
import { passkeyActs } from './acts/passkeys.ts';
import { issuedDocumentActs } from './acts/issued-documents.ts';
import { secondFactorActs } from './acts/second-factor.ts';
import { staffActs } from './acts/staff.ts';
import { teamActs } from './acts/team.ts';
import { webhookActs } from './acts/webhooks.ts';
import { workflowActs } from './acts/workflows.ts';

/**
 * All operations that change something, with their journal entries. The walk fails for a described operation that is missing here.
 * A comment gives the reason for an operation without an entry.
 */
export const acts: Acts = {
  ...accountActs,
  ...secondFactorActs,
  ...passkeyActs,
  ...contentActs,
  ...documentActs,
  ...taskActs,
  ...approvalActs,
  ...approvalPolicyActs,
  ...signatureActs,
  ...interfaceActs,
  ...registryActs,
  ...documentTemplateActs,
  ...signatureBatchActs,
  ...evidenceActs,
  ...bookingActs,
  ...agentActs,
  ...agentJobActs,
  ...workflowActs,
  ...webhookActs,
  ...teamActs,
  ...groupActs,
  ...overviewActs,
  ...directoryActs,
  ...matterActs,
  ...clientActs,
  ...issuedDocumentActs,
  ...staffActs,
  'GET /api/v1/security/audit/export': alone('GET', '/api/v1/security/audit/export', undefined, 'audit.exported'),
};
