import { Badge } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { deviceOf } from './device.ts';
import { meTexts } from './texts.ts';

/** The most sessions of the list. */
const maxSessions = 100;

/** The browsers and programs in which the person is signed in. */
export function Sessions(): JSX.Element {
  const words = useTexts(meTexts);
  const client = useQueryClient();
  const queryKey = ['sessions'];
  const query = useQuery({
    queryKey,
    queryFn: () => ok(api.GET('/api/v1/security/auth/sessions', { params: { query: { limit: maxSessions } } })),
  });
  const end = async (ids: readonly string[]) => {
    for (const id of ids) await ok(api.DELETE('/api/v1/security/auth/sessions/{id}', { params: { path: { id } } }));
    await client.invalidateQueries({ queryKey });
  };
  const others = (query.data ?? []).filter(({ current }) => !current);
  return (
    <Section
      title={words.sessions}
      text={words.sessionsText}
      actions={
        others.length > 1 && (
          <ConfirmButton label={words.endOthers} title={words.endOthers} action={() => end(others.map(({ id }) => id))}>
            <p>{words.endOthersText(others.length)}</p>
          </ConfirmButton>
        )
      }
    >
      {query.isPending && <Loading rows={3} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <Rows label={words.sessions}>
          {query.data.map(({ id, current, userAgent, ip, lastUsedAt }) => {
            const device = deviceOf(userAgent) ?? words.unknownDevice;
            return (
              <RowOf
                key={id}
                title={
                  <>
                    {device}
                    {current && (
                      <Badge variant="light" tt="none" fw={500}>
                        {words.thisSession}
                      </Badge>
                    )}
                  </>
                }
                detail={
                  <>
                    {ip !== undefined && `${ip} · `}
                    {words.lastUsed} <Time at={lastUsedAt} />
                  </>
                }
                actions={
                  !current && (
                    <ConfirmButton
                      size="xs"
                      label={words.end}
                      name={`${words.end}: ${device}`}
                      title={words.endSession}
                      action={() => end([id])}
                    >
                      <p>{words.endText(device)}</p>
                    </ConfirmButton>
                  )
                }
              />
            );
          })}
        </Rows>
      )}
    </Section>
  );
}
