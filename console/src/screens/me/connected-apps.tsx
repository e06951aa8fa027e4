import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { MePage } from './me-page.tsx';
import { meTexts } from './texts.ts';

/** The apps that act for the person. */
export function ConnectedAppsPage(): JSX.Element {
  const words = useTexts(meTexts);
  const client = useQueryClient();
  const queryKey = ['connected-apps'];
  const query = useQuery({ queryKey, queryFn: () => ok(api.GET('/api/v1/security/auth/connected-apps')) });
  const disconnect = async (id: string) => {
    await ok(api.DELETE('/api/v1/security/auth/connected-apps/{id}', { params: { path: { id } } }));
    await client.invalidateQueries({ queryKey });
  };
  return (
    <MePage>
      <Section title={words.apps} text={words.appsText}>
        {query.isPending && <Loading rows={2} />}
        {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
        {query.data?.length === 0 && <Empty title={words.noApps}>{words.noAppsText}</Empty>}
        {query.data !== undefined && query.data.length > 0 && (
          <Rows label={words.apps}>
            {query.data.map(({ id, name, host, lastUsedAt }) => (
              <RowOf
                key={id}
                title={name}
                detail={
                  <>
                    {host} · {words.lastUsed} <Time at={lastUsedAt} />
                  </>
                }
                actions={
                  <ConfirmButton
                    size="xs"
                    label={words.disconnect}
                    name={`${words.disconnect}: ${name}`}
                    title={words.disconnect}
                    action={() => disconnect(id)}
                  >
                    <p>{words.disconnectText(name)}</p>
                  </ConfirmButton>
                }
              />
            ))}
          </Rows>
        )}
      </Section>
    </MePage>
  );
}
