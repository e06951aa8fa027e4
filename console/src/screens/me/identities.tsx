import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { meTexts } from './texts.ts';

/** The identities at providers of teams. Without one, the section is absent. */
export function Identities(): JSX.Element | null {
  const words = useTexts(meTexts);
  const client = useQueryClient();
  const queryKey = ['identities'];
  const { data = [] } = useQuery({ queryKey, queryFn: () => ok(api.GET('/api/v1/security/auth/identities')) });
  const remove = async (id: string) => {
    await ok(api.DELETE('/api/v1/security/auth/identities/{id}', { params: { path: { id } } }));
    await client.invalidateQueries({ queryKey });
  };
  if (data.length === 0) return null;
  return (
    <Section title={words.identities} text={words.identitiesText}>
      <Rows label={words.identities}>
        {data.map(({ id, issuer, email, lastUsedAt }) => (
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
                label={words.remove}
                name={`${words.remove}: ${issuer}`}
                title={words.removeIdentity}
                action={() => remove(id)}
              >
                <p>{words.removeIdentityText(issuer)}</p>
              </ConfirmButton>
            }
          />
        ))}
      </Rows>
    </Section>
  );
}
