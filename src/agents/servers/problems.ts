import { defineProblems } from '../../platform/problems.ts';

export const serverProblems = defineProblems({
  mcp_servers_full: {
    status: 409,
    title: 'The team has as many MCP servers as it may',
    help: 'A team has at most 20 MCP servers. Delete one that no agent needs.',
  },
  mcp_server_exists: {
    status: 409,
    title: 'There is an MCP server of this name',
    help: 'A team has one MCP server of a `slug`, which stands before the names of its tools. Change that one, or call the new one otherwise.',
  },
  mcp_tool_changed: {
    status: 409,
    title: 'The tool is not as you have seen it',
    help: 'A tool is switched on as it is described in what you have read: `hash` says which description that is. Have the server checked, read it again, look at what the tool says now, and send its `hash`.',
  },
  mcp_url_not_allowed: {
    status: 422,
    title: 'The address cannot be used',
    help: 'An MCP server is reached over https, at a public address, without a user name or a fragment in it. Whoever runs the service can allow private addresses (`MCP_SERVERS_ALLOW_PRIVATE`, `MCP_SERVERS_ALLOW_CIDRS`).',
  },
});
