import type { SsoConnection } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { serviceAddress } from '../../../address.ts';
import { api, ok, type Versioned } from '../../../api.ts';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Name } from '../../../parts/name.tsx';
import { Section } from '../../../parts/section.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import { ConnectionSettings } from './connection-settings.tsx';
import { Domains } from './domains.tsx';
import { LinkedMembers } from './linked-members.tsx';
import styles from '../security.module.css';
import { providerOf, readConnection } from './sso-data.ts';
import { ssoTexts } from './texts.ts';

/** The connection to one provider. */
export function ConnectionPage(): JSX.Element {
  const { id } = useParams({ from: '/shell/settings/sso/$id' });
  const query = useQuery({ queryKey: ['sso', id], queryFn: () => readConnection(id) });
  return (
    <SettingsPage>
      {query.isPending && <Loading />}
      {query.isError && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <>
          <About version={query.data} />
          <Register connection={query.data.data} />
          <Domains version={query.data} />
          <ConnectionSettings version={query.data} />
          <LinkedMembers connection={query.data.data} />
        </>
      )}
    </SettingsPage>
  );
}

function About({ version: { data: connection, etag } }: { version: Versioned<SsoConnection> }): JSX.Element {
  const words = useTexts(ssoTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { id, kind, isActive, enforce, lastUsedAt, createdBy } = connection;
  const remove = async () => {
    await ok(api.DELETE('/api/v1/team/sso/{id}', { params: { path: { id }, header: { 'If-Match': etag } } }));
    toast(words.removed);
    await navigate({ to: '/settings/sso' });
    client.removeQueries({ queryKey: ['sso', id] });
    await client.invalidateQueries({ queryKey: ['sso'] });
  };
  return (
    <Section
      title={providerOf(connection)}
      actions={
        <ConfirmButton label={words.remove} title={words.removeNow} verb={words.removeNow} action={remove}>
          <p>{words.removeText(providerOf(connection))}</p>
        </ConfirmButton>
      }
    >
      <Facts
        facts={{
          [words.protocol]: words.protocols[kind === 'saml' ? 'saml' : 'oidc'],
          [words.state]: words.states[isActive ? (enforce ? 'enforced' : 'optional') : 'off'],
          [words.lastUsed]: lastUsedAt === undefined ? words.never : <Time at={lastUsedAt} />,
          [words.createdBy]: createdBy === undefined ? undefined : <Name id={createdBy} />,
        }}
      />
    </Section>
  );
}

/** The values for the settings of the provider. */
function Register({ connection: { id, kind, clientId, redirectUri } }: { connection: SsoConnection }): JSX.Element {
  const { register: words } = useTexts(ssoTexts);
  const auth = `${location.origin}${serviceAddress}/api/v1/security/auth/sso`;
  return (
    <Section title={words.title} text={words.text}>
      <div className={styles.values}>
        <CopyField label={kind === 'saml' ? words.acs : words.redirectUri} value={redirectUri} />
        {kind === 'saml' ? (
          <CopyField label={words.entityId} text={words.entityIdText} value={clientId} />
        ) : (
          <CopyField label={words.logout} text={words.logoutText} value={`${auth}/${id}/backchannel-logout`} />
        )}
        <CopyField label={words.start} text={words.startText} value={`${auth}/start?connectionId=${id}`} />
      </div>
    </Section>
  );
}
