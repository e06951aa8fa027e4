import { domain as accounts } from '#accounts';
import { domain as keys } from '#keys';
import { checkEndpointUrl, createAddressPolicy, createGuardedFetch, createResolver, createTextLookup, domain as webhooks } from '#webhooks';
import { defineDomain } from '../../platform/domain.ts';
import { resolveSsoSettings, ssoSettings } from './config.ts';
import { sealedConnections } from './connections.ts';
import { connectionsMadeBy } from './compromised-account.ts';
import { openSso } from './context.ts';
import { checkDomains, domainCheckJob } from './domain-jobs.ts';
import { dropSpentStates } from './jobs.ts';
import { ssoRoutes } from './routes.ts';
import { endingJob, metadataJob, noticeEndings, readMetadataAgain } from './saml/index.ts';
import { ssoTables } from './tables.ts';

/**
 * Single sign-on: a team’s connections to OpenID Connect and SAML providers, its verified domains, and sign-ins through a provider. The domain accounts stores
 * the identities of users at providers.
 */
export const domain = defineDomain({
  name: 'sso',
  // `webhooks` provides connections that reach no addresses inside the operator’s network, because teams choose the addresses.
  uses: { accounts, keys, webhooks },
  settings: ssoSettings,
  settle: resolveSsoSettings,
  tables: ssoTables,
  description: () => import('./description.ts'),
  sealed: [sealedConnections],
  open({ database, masterKey, log, listeners }, { accounts: people, keys: ring }, config) {
    const allowHttp = config.SSO_ALLOW_PRIVATE;
    if (allowHttp) log.warn('SSO_ALLOW_PRIVATE is on: providers may have http and private addresses');
    const policy = createAddressPolicy({ allowPrivate: allowHttp, allowCidrs: config.SSO_ALLOW_CIDRS });
    const servers = config.SSO_DNS_SERVERS;
    const resolve = servers.length === 0 ? {} : { resolve: createResolver(servers) };
    const providers = createGuardedFetch({ policy, timeoutMs: 10_000, ...resolve });
    people.onLoss(connectionsMadeBy);
    const lookupText = createTextLookup(servers);
    const sso = openSso(people, {
      masterKey,
      ring,
      allowHttp,
      fetch: (target, init) => providers.fetch(target, init),
      checkUrl: (text) => checkEndpointUrl(text, policy),
      lookupText,
      now: () => database.clock.now(),
    });
    return {
      exports: undefined,
      routes: (app) => ssoRoutes(app, sso),
      periodic: [
        { name: 'sso-state-drop', cron: '27 * * * *', run: () => dropSpentStates(database) },
        { name: metadataJob, cron: '13 * * * *', run: (run) => readMetadataAgain({ database, listeners, sso }, run) },
        { name: endingJob, cron: '19 * * * *', run: (run) => noticeEndings({ database, listeners }, run) },
        { name: domainCheckJob, cron: '41 * * * *', run: (run) => checkDomains({ database, listeners, lookupText }, run) },
      ],
      close: async () => {
        await providers.close();
        await sso.saml.close();
      },
    };
  },
});

export { connectionExists, domainOfTeam, lockConnection, subjectClaimOf } from './queries.ts';
