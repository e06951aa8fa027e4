import { defineProblems } from '../../platform/problems.ts';

export const ssoProblems = defineProblems({
  sso_not_configured: {
    status: 404,
    title: 'Sign-in not configured',
    help: 'No team has a provider for addresses of this domain, or the connection does not exist or is inactive. Sign in with the password.',
  },
  sso_callback_invalid: {
    status: 400,
    title: 'Return page not allowed',
    help: '`returnTo` must be a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS.',
  },
  sso_provider_unavailable: {
    status: 502,
    title: 'Provider unavailable',
    help: 'The provider could not be reached, or its `/.well-known/openid-configuration` is invalid. Try again, or ask an administrator of the team to check the connection.',
  },
  sso_state_invalid: {
    status: 400,
    title: 'Sign-in expired',
    help: 'The response of the provider belongs to no sign-in of this browser within the last ten minutes, or was already used. Start again.',
  },
  sso_denied: {
    status: 403,
    title: 'The provider did not sign you in',
    help: 'The sign-in at the provider was cancelled, or the provider rejected it. Start again, or ask the operator of the provider.',
  },
  sso_response_invalid: {
    status: 403,
    title: 'Invalid response of the provider',
    help: 'The response was forged, expired, already used, or meant for another recipient. An administrator finds the reason in the audit journal, as `sso.answer_refused`.',
  },
  saml_metadata_invalid: {
    status: 422,
    title: 'Unusable description of a SAML provider',
    help: 'The metadata cannot be fetched or read, belong to another provider, or have no usable certificate. A certificate needs an RSA key of at least 2048 bits, and a connection has at most 5. Export the metadata again, or send `issuer`, `ssoUrl` and `certificates`.',
  },
  sso_issuer_taken: {
    status: 409,
    title: 'Another connection has this issuer',
    help: 'Issuer and subject identify a user, so the entity ID of a SAML provider must differ from the issuers of the team’s other connections. Change or delete the other connection.',
  },
  logout_token_invalid: {
    status: 400,
    title: 'Invalid logout token',
    help: 'The provider of the connection has not signed the token, or the token is older than two minutes or was already used. Or it is not a logout token (OpenID Connect Back-Channel Logout 1.0). An administrator finds the reason in the audit journal, as `sso.answer_refused`.',
  },
  domain_taken: {
    status: 409,
    title: 'The domain belongs to another connection',
    help: 'Another connection has verified the domain. A domain belongs to one connection. Remove it from the other connection first.',
  },
  sso_connection_limit: {
    status: 409,
    title: 'Too many connections',
    help: 'A team has at most 10 connections to providers. Delete one that is no longer used.',
  },
});
