import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const connection = {
  id: desk.connection,
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
      text: 'Lists the OpenID Connect providers that the team’s people sign in through, with their domains and whether each is verified. Secrets are shown by no reading.',
      answer: [connection],
    },
    createSsoConnection: {
      text: 'Connects an OpenID Connect provider. The answer has the `redirectUri` to register there, and for each domain the DNS record that proves it; nobody is sent to the provider before a domain is verified. It takes an owner or administrator who signed in within 15 minutes, and a team has ten connections at most. A repetition without an `Idempotency-Key` makes a second connection.',
      records: ['sso.connection_created'],
      problems: ['reauthentication_required', 'sso_connection_limit'],
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
      text: 'Shows one connection to a provider, with the DNS records that its domains are proven by.',
      answer: connection,
    },
    updateSsoConnection: {
      text: 'Changes the members that are given. The issuer stays, since what was proven was proven for it. A domain that is taken out is proven again when it comes back. `enforce` lets members with an address of a verified domain sign in through the provider alone, save the owner; `isActive: false` lets nobody in through it any more. All but setting `isActive`, `trustMfa` or `jit` to `false` takes a sign-in of the last 15 minutes.',
      records: ['sso.connection_updated'],
      problems: ['reauthentication_required'],
      body: { enforce: true },
      answer: { ...connection, enforce: true, updatedAt: desk.wednesday },
    },
    deleteSsoConnection: {
      text: 'Deletes a connection, forgets who signed in through it and ends the sessions that they began so, also of those who wait for a second factor. People keep their accounts; whoever has no password sets one by a mailed link. A repetition is 404.',
      records: ['sso.connection_deleted'],
    },
    unlinkSsoMember: {
      text: 'Unlinks a member from the provider of a connection and ends their sessions. The next sign-in of the person through the provider links the account again, by the same rules as the first. Use it when the provider has created the person again with another subject (`sub`), and only if it is the same person. It takes an owner or administrator who signed in within 15 minutes. A repetition is 404.',
      records: ['identity.unlinked'],
      problems: ['reauthentication_required'],
    },
    linkSsoLogin: {
      text: 'Links the account of the caller with the provider of their team: send the browser to `location`. The provider asks the person to sign in, and must name the address of the account as theirs. The browser then comes to `returnTo`, with `linked=true` in the fragment, or with `error` as after a sign-in. From then on the provider signs the person in. It takes a sign-in of the last 15 minutes; a page of another origin sends it with `credentials: "include"`, since the answer sets a cookie.',
      problems: ['reauthentication_required', 'sso_callback_invalid', 'sso_not_configured', 'sso_provider_unavailable'],
      body: { connectionId: desk.connection, returnTo: '/app/account' },
      answer: { location: 'https://login.northwind.example/authorize?client_id=chancery&response_type=code&scope=openid' },
    },
    verifySsoDomains: {
      text: 'Looks for the proofs of the connection’s domains in the DNS now, and marks those that are found. A domain counts for one connection of the whole service. The record stays in the DNS: it is looked up daily. If it is missing for 14 days, the domain is unverified. Administrators get a mail on the first day and at the end. Nothing found is no error: the answer shows which domains are still to be proven, and asking again does no harm.',
      problems: ['domain_taken'],
      answer: connection,
    },
    startSsoLogin: {
      text: 'Sends a browser to the provider of a team: a page links here, and does not fetch it. The domain of `email`, or `connectionId`, tells which provider; `returnTo` is a page of this service or of a listed origin that the person comes back to. `prompt=login` has the provider ask them again, for what takes a recent sign-in. A browser that a page of another site has sent here, or one that does not say in `Referer` where it is, is led to a page first on which the person says that they want to sign in.',
      problems: ['sso_callback_invalid', 'sso_not_configured', 'sso_provider_unavailable'],
    },
    finishSsoLogin: {
      text: 'The provider sends people back to this address, once, in the browser that began the sign-in. It redirects to `returnTo`. After a sign-in, the refresh token is a cookie. If a second factor is required, the fragment has a `challengeId`. After an error, the fragment has `error`, the code of a problem: `sso_denied`, `sso_response_invalid`, `sso_email_unverified`, `sso_user_not_found`, `sso_account_in_another_team`, `sso_link_required` or `sso_identity_conflict`. No token is ever in an address. A request without a sign-in that began here gets an error response, without a redirect.',
      problems: ['sso_state_invalid'],
    },
  },
  members: {
    'SsoConnection.clientId': 'This service, as the provider knows it',
    'CreateSsoConnectionRequest.clientId': 'This service, as the provider knows it',
    'UpdateSsoConnectionRequest.clientId': 'This service, as the provider knows it',
    domains: 'The domains of the addresses that sign in through it',
    verified: 'Whether its proof was found',
    verifiedAt: 'When its proof was found',
    'record.type': 'The type of the DNS record',
    'record.value': 'What the record says',
    'SsoConnection.defaultRole': 'The role of whoever comes into the team through it',
    'SsoConnection.enforce': 'Whether people of its domains sign in through it alone',
    'SsoConnection.emailTrust': 'When an address counts: `claim` or `domain`',
    'SsoConnection.jit': 'Whether a new person of its domains gets an account at the first sign-in, or needs an invitation',
    'SsoConnection.trustMfa': 'Whether a second factor that the provider asked for is enough',
    'startSsoLogin.connectionId': 'The connection to sign in through, instead of an address',
    'finishSsoLogin.code': 'What the provider sends: the code of the sign-in',
    'finishSsoLogin.state': 'What was sent to the provider, to tell the sign-in by',
    'finishSsoLogin.error': 'What the provider says where it did not sign the person in',
  },
};
