import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const connection = {
  id: desk.connection,
  kind: 'oidc',
  issuer: 'https://login.northwind.example',
  clientId: 'chancery',
  redirectUri: `https://api.example.com/api/v1/security/auth/sso/callback/${desk.connection}`,
  domains: [
    {
      name: 'northwind.example',
      verified: true,
      verifiedAt: desk.tuesday,
      record: { type: 'TXT', name: '_chancery.northwind.example', value: 'chancery-domain=2IzwVx3kWnj05MybleEebS1fKFP2RMVx2Vjeo9k' },
    },
  ],
  defaultRole: 'member',
  enforce: false,
  trustMfa: true,
  trustHome: false,
  emailTrust: 'claim',
  jit: true,
  isActive: true,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.tuesday,
};
const [domain] = connection.domains;
const unproven = { ...connection, domains: [{ name: domain?.name, verified: false, record: domain?.record }], updatedAt: desk.monday };

export const description: DomainText = {
  operations: {
    listSsoConnections: {
      text: 'Lists the OpenID Connect and SAML providers of the team with their domains and whether each is verified. It never shows secrets.',
      answer: [connection],
    },
    createSsoConnection: {
      text: 'Connects an OpenID Connect provider, or with `kind: saml` a SAML 2.0 provider. The response has the `redirectUri` to register there, and for each domain the DNS record that proves it. For SAML, `clientId` is the entity ID of this service and the address of its metadata. Describe a SAML provider by `metadataUrl`, `metadataXml`, or `issuer` with `ssoUrl` and `certificates`. Sign-ins start only after a domain is verified. It needs an owner or administrator who signed in within 15 minutes. A team has at most ten connections. Repeating the request without an `Idempotency-Key` creates a second OpenID Connect connection.',
      records: ['sso.connection_created'],
      problems: ['reauthentication_required', 'sso_connection_limit', 'sso_issuer_taken', 'saml_metadata_invalid'],
      body: {
        issuer: connection.issuer,
        clientId: 'chancery',
        clientSecret: 'as-the-provider-shows-it',
        domains: ['northwind.example'],
        trustMfa: true,
      },
      answer: unproven,
    },
    getSsoConnection: {
      text: 'Shows a connection to a provider, with the DNS records that prove its domains.',
      answer: connection,
    },
    updateSsoConnection: {
      text: 'Changes the given members. The issuer cannot change, because the proofs belong to it. A removed domain needs a new proof when it returns. `enforce` requires members with an address of a verified domain to sign in through the provider, except the owner. `isActive: false` stops sign-ins through it. Metadata or certificates of a SAML provider replace the old ones. Only the owner sends them, and managers of the team get a mail. Setting `isActive`, `trustMfa`, `trustHome`, `jit` or `allowIdpInitiated` to `false` needs no recent sign-in; every other change needs one of the last 15 minutes.',
      records: ['sso.connection_updated', 'sso.certificates_changed'],
      problems: ['reauthentication_required', 'saml_metadata_invalid'],
      body: { enforce: true },
      answer: { ...connection, enforce: true, updatedAt: desk.wednesday },
    },
    deleteSsoConnection: {
      text: 'Deletes a connection with its identities, and ends the sessions that began through it, including sign-ins that wait for a second factor. Users keep their accounts; a user without a password sets one by a mailed link. Repeating the request returns 404.',
      records: ['sso.connection_deleted'],
    },
    unlinkSsoMember: {
      text: 'Unlinks a member from the provider of a connection and ends their sessions. The next sign-in of the user through the provider links the account again, by the same rules as the first. Use it if the provider has created the user again with another subject (`sub`), and only for the same person. It needs an owner or administrator who signed in within 15 minutes. Repeating the request returns 404.',
      records: ['identity.unlinked'],
      problems: ['reauthentication_required'],
    },
    linkSsoLogin: {
      text: 'Links the account of the caller with the provider of their team. Send the browser to `location`. The provider asks the user to sign in, and must confirm the address of the account. The browser then returns to `returnTo`, with `linked=true` in the fragment, or with `error` as after a sign-in. From then on the provider signs the user in. It needs a sign-in of the last 15 minutes. A page of another origin sends the request with `credentials: "include"`, because the response sets a cookie.',
      problems: ['reauthentication_required', 'sso_callback_invalid', 'sso_not_configured', 'sso_provider_unavailable'],
      body: { connectionId: desk.connection, returnTo: '/app/account' },
      answer: { location: 'https://login.northwind.example/authorize?client_id=chancery&response_type=code&scope=openid' },
    },
    verifySsoDomains: {
      text: 'Looks up the DNS proofs of the connection’s domains now, and marks those that it finds. A domain belongs to one connection of the whole service. The record must stay in the DNS: it is looked up daily. If it is missing for 14 days, the domain is unverified. Administrators get a mail on the first day and at the end. Missing proofs are not errors: the response shows the unverified domains, and you can repeat the request.',
      problems: ['domain_taken'],
      answer: connection,
    },
    startSsoLogin: {
      text: 'Redirects a browser to the provider of a team. Use it as a link, not with `fetch`. The domain of `email`, or `connectionId`, selects the provider. `returnTo` is the page after the sign-in, on this service or a listed origin. `prompt=login` asks the user to authenticate again, for operations that need a recent sign-in. A browser that comes from another site, or sends no `Referer`, first gets a page to confirm the sign-in.',
      problems: ['sso_callback_invalid', 'sso_not_configured', 'sso_provider_unavailable'],
    },
    finishSsoLogin: {
      text: 'The provider redirects users to this address, once, in the browser that started the sign-in. It redirects to `returnTo`. After a sign-in, the refresh token is a cookie. If a second factor is required, the fragment has a `challengeId`. After an error, the fragment has `error`, the code of a problem: `sso_denied`, `sso_response_invalid`, `sso_email_unverified`, `sso_user_not_found`, `sso_link_required` or `sso_identity_conflict`. No token is ever in an address. A request without a pending sign-in of this browser gets an error response, without a redirect.',
      problems: ['sso_state_invalid'],
    },
    endSsoSessions: {
      text: 'The provider calls this address when a user signs out there (OpenID Connect Back-Channel Logout 1.0). It ends the sessions of this team that `sid` or `sub` of the logout token names, and pending second factors. A sign-in without a proof of the user ends in all teams. A token works once, within two minutes. Register the address at the provider as the back-channel logout URI.',
      records: ['logout.at_provider'],
      problems: ['logout_token_invalid', 'sso_not_configured', 'sso_provider_unavailable'],
      body: { logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2lnbmF0dXJl' },
    },
    getSamlMetadata: {
      text: 'Returns the SAML 2.0 metadata of this service for a connection: entity ID, assertion consumer service, and the certificates that sign requests. The next certificate appears 90 days before its use. The address is also the entity ID.',
      problems: ['sso_not_configured'],
    },
    receiveSamlResponse: {
      text: 'The provider sends the browser to this address with a response (HTTP-POST binding). A verified response redirects the browser to the address that completes the sign-in. A rejected one gets an error page, and the journal has the reason. After 30 rejections in ten minutes, an address waits.',
      problems: ['sso_not_configured', 'sso_response_invalid', 'unavailable'],
      body: { SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlLz4=' },
    },
    finishSamlLogin: {
      text: 'Completes a sign-in in the browser that started it, once, within a minute. It redirects to `returnTo` with the same fragment as a sign-in through OpenID Connect. Another browser gets an error response, without a redirect.',
      problems: ['sso_state_invalid'],
    },
  },
  members: {
    'SsoConnection.clientId': 'The identifier of this service at the provider; for SAML its entity ID',
    'saml.ssoUrl': 'The sign-in address of the provider',
    'saml.nameIdFormat': 'The accepted format of the NameID: `persistent` or `emailAddress`',
    'saml.allowIdpInitiated': 'Whether a sign-in that began at the provider starts a sign-in here',
    'saml.metadataUrl': 'The address of the metadata, read daily',
    'SsoConnection.trustHome': 'Whether members may also enter through the connection of another team that verified their domain',
    'SsoConnection.subjectClaim': 'The claim with the identifier of the user in the team’s directory',
    'CreateSsoConnectionRequest.clientId': 'The identifier of this service at the provider',
    'UpdateSsoConnectionRequest.clientId': 'The identifier of this service at the provider',
    domains: 'The domains of addresses that sign in through the connection',
    verified: 'Whether its proof was found',
    verifiedAt: 'The time when its proof was found',
    'record.type': 'The type of the DNS record',
    'record.value': 'The value of the record',
    'SsoConnection.defaultRole': 'The role of users who join the team through the connection',
    'SsoConnection.enforce': 'Whether members of its domains, except the owner, must sign in through the connection',
    'SsoConnection.emailTrust': 'Why an address is trusted: `claim` or `domain`',
    'SsoConnection.jit': 'Whether a new user of its domains gets an account at the first sign-in, or needs an invitation',
    'SsoConnection.trustMfa': 'Whether a second factor at the provider is sufficient',
    'startSsoLogin.connectionId': 'The connection to sign in through, instead of an address',
    'finishSsoLogin.code': 'The authorization code of the provider',
    'finishSsoLogin.state': 'The `state` that identifies the sign-in',
    'finishSamlLogin.handle': 'The one-time handle of the verified response',
    'EndSsoSessionsRequest.logout_token': 'The signed logout token of the provider',
    'ReceiveSamlResponseRequest.SAMLResponse': 'The response in base64, at most 128 KiB',
    'finishSsoLogin.error': 'The error code of the provider after a failed sign-in',
  },
};
