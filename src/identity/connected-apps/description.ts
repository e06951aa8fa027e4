import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const connectedAppId = '019d2f4e-6a00-7c2b-9a54-0000000000a1';
const connection = '019d2f4e-6a00-7c2b-9a54-0000000000a2';
const redirectUri = 'http://localhost:33418/callback';
const request = 'eyJjbGllbnRJZCI6IjAxOWQyZjRlIn0.b9P4mQk2';
const scopes = ['folders:read', 'documents:read'];

export const description: DomainText = {
  operations: {
    registerConnectedApp: {
      text: 'Registers a program that persons may let act for them at the MCP server (RFC 7591), without a credential: it gets an identifier and no secret. `redirect_uris` are where it may be answered: https, or http on the person’s own machine, on whatever port. A registration that nobody connects goes after a day; 30 an hour come from one address. A program may instead name itself by the https address of a document that describes it (Client ID Metadata Documents), and register nowhere.',
      problems: ['invalid_request', 'invalid_redirect_uri', 'invalid_client_metadata', 'temporarily_unavailable'],
      body: { client_name: 'Assistant', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
      answer: {
        client_id: connectedAppId,
        client_id_issued_at: 1_773_133_200,
        client_name: 'Assistant',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    },
    previewConnectedApp: {
      text: 'Says what a program asks for, of what the person may do who has signed in. `request` is what the page at `/oauth/authorize` was given by the service, good for 15 minutes. It takes a recent sign-in.',
      problems: ['reauthentication_required', 'authorization_request_expired', 'no_scopes_requested'],
      body: { request },
      answer: {
        name: 'Assistant',
        host: 'localhost:33418',
        teamName: desk.team.name,
        email: desk.olivia.email,
        scopes,
        changes: ['tasks:write'],
      },
    },
    authorizeConnectedApp: {
      text: 'Lets a program act for the person at the MCP server, within what was shown, and says where the browser goes on: the program is given a code there, which is good for a minute, once. It reads; with `changes` it may ask to change things as well, and the person approves each call by a task. It takes a recent sign-in, and the person is told by mail. A program may do at any time what the person may at that time, of what they have allowed it.',
      records: ['program.connected'],
      problems: [
        'reauthentication_required',
        'authorization_request_expired',
        'no_scopes_requested',
        'connected_app_limit',
        'account_disabled',
      ],
      body: { request, changes: false },
      answer: { id: connection, redirectTo: `${redirectUri}?code=4f0c9a&state=7d1e&iss=https%3A%2F%2Fapi.example.com` },
    },
    listConnectedApps: {
      text: 'Lists the programs that act for the person at the MCP server, the newest first; 50 at most.',
      answer: [
        {
          id: connection,
          clientId: connectedAppId,
          name: 'Assistant',
          host: 'localhost:33418',
          scopes,
          createdAt: '2026-03-10T09:00:00.000Z',
          lastUsedAt: '2026-03-10T09:30:00.000Z',
          expiresAt: '2026-06-08T09:00:00.000Z',
        },
      ],
    },
    disconnectConnectedApp: {
      text: 'Ends what a program may do for the person: its tokens are good for nothing from the next request on, on every node.',
      records: ['session.revoked'],
    },
  },
  members: {
    redirectTo: 'Where the browser goes on',
    'RegisteredProgram.client_id': 'The program, for the requests that follow',
    client_id_issued_at: 'When it was registered, in seconds since 1970',
    client_name: 'What the program calls itself',
    redirect_uris: 'Where the program may be answered',
    token_endpoint_auth_method: 'Always `none`: the program has no secret',
    grant_types: 'By what it gets tokens',
    response_types: 'What it may ask a person for',
  },
};
