import { defineProblems } from '../../platform/problems.ts';

export const mcpProblems = defineProblems({
  site_not_allowed: {
    status: 403,
    title: 'MCP server not available from this site',
    help: 'The MCP server accepts requests to the address of the service (`BASE_URL`) or of this machine, and from pages of that address or of `CORS_ORIGINS`. A page of another site may have sent this request.',
  },
  connected_app_read_only: {
    status: 403,
    title: 'Connected app is read-only',
    help: 'An app that acts for a viewer cannot change anything: its changes need approval tasks, which viewers cannot have. Ask an administrator of the team for another role.',
  },
  approval_limit: {
    status: 409,
    title: 'Approval limit reached',
    help: 'At most 20 calls of one client, or of all apps of one person, can wait for approval. In a team 200 calls can wait. A call can have at most 32 KiB. Complete the approval tasks, or send a smaller call.',
  },
  no_approver: {
    status: 409,
    title: 'No approver available',
    help: 'With an `approvalPolicy`, too few of its people can approve the call. The person who connected an app cannot approve its calls. Without a policy, the creator of an API client, or else the owner of the team, approves its changes. Approvers need read access to the target, and a barrier can prevent that. Change the policy, or ask a person with access to make the change.',
  },
  result_too_large: {
    status: 422,
    title: 'Tool result too large',
    help: 'The result of a tool is at most 1 MiB. Ask for fewer items with `limit`, or for a smaller part.',
  },
});
