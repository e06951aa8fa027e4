import { defineProblems } from '../../platform/problems.ts';

export const mcpProblems = defineProblems({
  site_not_allowed: {
    status: 403,
    title: 'The MCP server is not reached from there',
    help: 'The MCP server takes requests under the address of the service (`BASE_URL`) or of this machine, and from pages of that address or of `CORS_ORIGINS`. A page of another site may have brought your browser here.',
  },
  connected_app_read_only: {
    status: 403,
    title: 'A program that acts for a viewer changes nothing',
    help: 'Viewers look on, and so do programs that act for them: a person approves what their program is to change, and such tasks are not for viewers. Ask an administrator of the team for another role.',
  },
  approval_limit: {
    status: 409,
    title: 'So many calls wait for a person that nobody is asked about this one',
    help: 'Of one client, or of all programs of one person, 20 calls wait at most, of a team 200, and what is asked is at most 32 KiB. Wait until some were answered, which their tasks tell, or ask for less at once.',
  },
  no_approver: {
    status: 409,
    title: 'There is nobody who could approve the call',
    help: 'A call of an API client that changes something is approved by whoever made the client, while they run the team, or by the owner, where they may read what it is about. A folder behind a barrier may keep both out.',
  },
  result_too_large: {
    status: 422,
    title: 'The result is larger than tools answer with',
    help: 'A tool answers with 1 MiB at most. Ask for fewer things with `limit`, or for a smaller part.',
  },
});
