import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type Member, nameOf } from './member-data.ts';
import { memberTexts } from './member-texts.ts';
import { settingsTexts } from './texts.ts';

/** The identities at providers that sign a member in. Without one, the section is absent. */
export function MemberIdentities({ member }: { member: Member }): JSX.Element | null {
  const shared = useTexts(settingsTexts);
  const words = useTexts(memberTexts);
  const client = useQueryClient();
  const queryKey = ['member', member.id, 'identities'];
  const params = { path: { userId: member.id } };
  const query = useQuery({ queryKey, queryFn: () => ok(api.GET('/api/v1/team/members/{userId}/identities', { params })) });
  const remove = async (id: string) => {
    await ok(api.DELETE('/api/v1/team/members/{userId}/identities/{id}', { params: { path: { userId: member.id, id } } }));
    await client.invalidateQueries({ queryKey });
    toast(words.identityRemoved);
  };
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined || query.data.length === 0) return null;
  return (
    <Section title={words.identities} text={words.identitiesText}>
      <Rows label={words.identities}>
        {query.data.map(({ id, issuer, email, lastUsedAt }) => (
          <RowOf
            key={id}
            title={email ?? issuer}
            detail={
              <>
                {issuer} · {words.lastUsed} <Time at={lastUsedAt} />
              </>
            }
            actions={
              <ConfirmButton
                size="xs"
                label={shared.remove}
                name={`${shared.remove}: ${issuer}`}
                title={words.removeIdentity}
                action={() => remove(id)}
              >
                <p>{words.removeIdentityText(issuer, nameOf(member))}</p>
              </ConfirmButton>
            }
          />
        ))}
      </Rows>
    </Section>
  );
}
