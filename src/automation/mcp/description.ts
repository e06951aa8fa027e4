import type { DomainText } from '../../platform/http/openapi/texts.ts';

const service = 'https://api.example.com';

export const description: DomainText = {
  operations: {
    getMcpResourceMetadata: {
      text: 'Returns the RFC 9728 metadata of the MCP server at `/mcp`. It has the `resource` of the token request, the authorization servers and the scopes of the tools. An MCP client that gets 401 uses it to find out how to get a token.',
      answer: {
        resource: `${service}/mcp`,
        authorization_servers: [service],
        scopes_supported: ['documents:read', 'folders:read', 'tasks:read', 'tasks:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Chancery MCP server',
        resource_documentation: `${service}/docs`,
      },
    },
  },
};
