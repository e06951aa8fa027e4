import type { SsoConnection } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../../api.ts';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { useName } from '../../../parts/name.tsx';
import { type Principal, PrincipalSelect, principalId } from '../../../parts/principal-select.tsx';
import { RowOf, Rows, Section } from '../../../parts/section.tsx';
import { Failed } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { useTexts } from '../../../texts/texts.ts';
import styles from '../security.module.css';
import { ssoTexts } from './texts.ts';

/** The identities of a member at the provider of a connection. */
export function LinkedMembers({ connection: { id, issuer } }: { connection: SsoConnection }): JSX.Element {
  const { member: words, lastUsed } = useTexts(ssoTexts);
  const client = useQueryClient();
  const [member, setMember] = useState<Principal | null>(null);
  const userId = member === null ? '' : principalId(member);
  const name = useName(userId === '' ? undefined : userId).data?.name ?? '';
  const queryKey = ['member', userId, 'identities'];
  const query = useQuery({
    queryKey,
    queryFn: () => ok(api.GET('/api/v1/team/members/{userId}/identities', { params: { path: { userId } } })),
    enabled: userId !== '',
  });
  const own = query.data?.filter((one) => one.issuer === issuer) ?? [];
  const unlink = async () => {
    await ok(api.DELETE('/api/v1/team/sso/{id}/identities/{userId}', { params: { path: { id, userId } } }));
    toast(words.unlinked);
    await client.invalidateQueries({ queryKey });
  };
  return (
    <Section title={words.title} text={words.text}>
      <div className={styles.form}>
        <PrincipalSelect label={words.choose} value={member} onChange={setMember} />
      </div>
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && own.length === 0 && <p role="status">{words.none}</p>}
      {own.length > 0 && (
        <Rows label={words.title}>
          {own.map(({ id: identity, email, subject, lastUsedAt }) => (
            <RowOf
              key={identity}
              title={email ?? subject}
              detail={
                <>
                  {lastUsed} <Time at={lastUsedAt} />
                </>
              }
              actions={
                <ConfirmButton size="xs" label={words.unlink} title={words.unlinkTitle} action={unlink}>
                  <p>{words.unlinkText(name)}</p>
                </ConfirmButton>
              }
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}
