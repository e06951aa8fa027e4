import { defineProblems } from '../../platform/problems.ts';

export const ssoProblems = defineProblems({
  sso_not_configured: {
    status: 404,
    title: 'There is no such sign-in',
    help: 'No team signs in through a provider with addresses of this domain, or the connection does not exist or is switched off. Sign in with the password.',
  },
  sso_callback_invalid: {
    status: 400,
    title: 'The page to return to is not allowed',
    help: '`returnTo` must be a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS.',
  },
  sso_provider_unavailable: {
    status: 502,
    title: 'The provider does not answer',
    help: 'The provider could not be reached, or what it publishes at `/.well-known/openid-configuration` cannot be used. Try again, or ask an administrator of the team to check the connection.',
  },
  sso_state_invalid: {
    status: 400,
    title: 'The sign-in must begin again',
    help: 'The answer of the provider belongs to no sign-in that this browser has begun within the last ten minutes, or was used before. Begin again.',
  },
  sso_denied: {
    status: 403,
    title: 'The provider did not sign you in',
    help: 'The sign-in at the provider was cancelled, or the provider refused it. Begin again, or ask whoever runs the provider.',
  },
  sso_response_invalid: {
    status: 403,
    title: 'The answer of the provider is not accepted',
    help: 'The answer was forged, expired, meant for somebody else, or used before. An administrator finds why in the audit journal, as `sso.answer_refused`.',
  },
  domain_taken: {
    status: 409,
    title: 'The domain belongs to another connection',
    help: 'Another connection has shown that the domain is its own. A domain counts for one connection; take it out of the other first.',
  },
  sso_connection_limit: {
    status: 409,
    title: 'There are too many connections',
    help: 'A team has at most 10 connections to providers. Delete one that is no longer used.',
  },
});
