import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const connectedAppId = '019d2f4e-6a00-7c2b-9a54-0000000000a1';
const connection = '019d2f4e-6a00-7c2b-9a54-0000000000a2';
const redirectUri = 'http://localhost:33418/callback';
const request = 'eyJjbGllbnRJZCI6IjAxOWQyZjRlIn0.b9P4mQk2';
const scopes = ['folders:read', 'documents:read'];
const connected = {
  id: connection,
  clientId: connectedAppId,
  name: 'Assistant',
  host: 'localhost:33418',
  scopes,
  createdAt: '2026-03-10T09:00:00.000Z',
  lastUsedAt: '2026-03-10T09:30:00.000Z',
  expiresAt: '2026-06-08T09:00:00.000Z',
};

export const description: DomainText = {
  operations: {
    registerConnectedApp: {
      text: 'Registers an app that users may allow to act for them at the MCP server (RFC 7591). It needs no credential: the app gets an identifier and no secret. `redirect_uris` are https addresses, or http on the user’s own machine on any port. An unused registration is deleted after a day, and an address may send 30 an hour. An app may instead use the https address of its Client ID Metadata Document, without a registration.',
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
      text: 'Shows the rights that an app requests, limited to those of the signed-in user. `request` is the value that `/oauth/authorize` gave the page, valid for 15 minutes. It needs a recent sign-in.',
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
      text: 'Allows an app to act for the user at the MCP server within the shown rights, and returns the address for the browser. That address gives the app a code, valid for a minute and once. The app may read. With `changes` it may also request changes. The user approves each call by a task, or the members of `approvalPolicy` do. It needs a recent sign-in, and the user gets a mail. An app’s rights never exceed the user’s current rights.',
      records: ['program.connected'],
      problems: [
        'reauthentication_required',
        'authorization_request_expired',
        'no_scopes_requested',
        'approval_policy_not_found',
        'connected_app_limit',
        'account_disabled',
      ],
      body: { request, changes: false },
      answer: { id: connection, redirectTo: `${redirectUri}?code=4f0c9a&state=7d1e&iss=https%3A%2F%2Fapi.example.com` },
    },
    listConnectedApps: {
      text: 'Lists the connected apps of the caller, the newest first; at most 50.',
      answer: [connected],
    },
    updateConnectedApp: {
      text: 'Names the approval policy for the changes of the app. `null`: the user approves them. The open rounds by the previous policy are voided, and a repeated call begins another one. It needs a recent sign-in.',
      records: ['program.updated', 'approval.voided'],
      problems: ['reauthentication_required', 'approval_policy_not_found'],
      body: { approvalPolicy: 'tool-calls' },
      answer: { ...connected, approvalPolicy: 'tool-calls' },
    },
    disconnectConnectedApp: {
      text: 'Disconnects an app of the caller. Its tokens are invalid from the next request on, on every node. Open approval rounds about its calls are voided.',
      records: ['session.revoked', 'approval.voided'],
    },
  },
  members: {
    redirectTo: 'The address that the browser opens next',
    'RegisteredProgram.client_id': 'The identifier of the app for later requests',
    client_id_issued_at: 'The time of registration, in seconds since 1970',
    client_name: 'The name of the app',
    redirect_uris: 'The redirect addresses that the app may use',
    token_endpoint_auth_method: 'Always `none`: the app has no secret',
    grant_types: 'The grant types',
    response_types: 'The response types',
  },
};
