import type { DomainText } from '../../platform/http/openapi/texts.ts';

const service = 'https://api.example.com';

export const description: DomainText = {
  operations: {
    getMcpResourceMetadata: {
      text: 'The metadata of RFC 9728 of the MCP server at `/mcp`: which address a token must be asked for (`resource` of the token request), where it is got, and which scopes tools need. An MCP client that was answered 401 finds its way to a token from here.',
      answer: {
        resource: `${service}/mcp`,
        authorization_servers: [service],
        scopes_supported: ['documents:read', 'folders:read', 'tasks:read', 'tasks:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Chancery, for programs that work with a model',
        resource_documentation: `${service}/docs`,
      },
    },
  },
};
