import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, countItems, page } from '../../api.ts';
import { Icon } from '../../parts/icons.tsx';
import { List, pageRows } from '../../parts/list.tsx';
import { Name } from '../../parts/name.tsx';
import { tabsClass } from '../../parts/page-tabs.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { useClient } from './matter-data.ts';
import styles from './matters.module.css';
import { matterStates } from './routes.ts';
import { matterTexts } from './texts.ts';

/** The matters that the person can see, in tabs by their state. */
export function Matters(): JSX.Element {
  const { matters: title } = useTexts(commonTexts);
  const words = useTexts(matterTexts);
  const { scopes, role } = useClaims();
  const { status = 'open', q } = useSearch({ from: '/shell/matters' });
  const create = scopes.has('matters:write') && role !== 'guest' && (
    <Button renderRoot={(props) => <Link {...props} to="/matters/new" />} variant="default" leftSection={<Icon name="plus" size={18} />}>
      {words.newMatter}
    </Button>
  );
  return (
    <Screen title={title} actions={create}>
      <div className={styles.filters}>
        <nav className={tabsClass} aria-label={words.show}>
          {matterStates.map((one) => (
            <Link key={one} to="/matters" search={{ status: one, q }} aria-current={one === status ? 'page' : undefined} replace>
              {words.tabs[one]}
            </Link>
          ))}
        </nav>
        <SearchField label={words.search} />
      </div>
      <List
        key={`${status} ${q}`}
        label={title}
        queryKey={['matter', 'list', status, q]}
        read={(cursor) =>
          page(
            api.GET('/api/v1/matters/', {
              params: {
                query: { limit: pageRows, cursor, status, sort: '-updatedAt', ...(q === undefined ? {} : { q }) },
                header: countItems,
              },
            }),
          )
        }
        to={({ id }) => `/matters/${id}`}
        title={({ name }) => name}
        columns={[
          {
            header: words.matter,
            cell: ({ name, barrier }) => (
              <span className={styles.name}>
                {name}
                {barrier && <Icon name="lock" size={16} />}
                {barrier && <span className="apart">{words.barred}</span>}
              </span>
            ),
          },
          { header: words.number, cell: ({ number }) => number, narrow: true },
          { header: words.client, cell: ({ clientId }) => <ClientName id={clientId} />, wide: true },
          { header: words.responsible, cell: ({ responsibleId }) => <Name id={responsibleId} />, wide: true },
          { header: words.changed, cell: ({ updatedAt }) => <Time at={updatedAt} />, narrow: true, wide: true },
        ]}
        empty={
          <Empty title={q === undefined ? words.none[status] : words.noneFound} action={q === undefined && status === 'open' && create}>
            {q === undefined ? words.noneText[status] : words.noneFoundText}
          </Empty>
        }
      />
    </Screen>
  );
}

/** The name of a client, or nothing. */
export function ClientName({ id }: { id: string | undefined }): JSX.Element | null {
  const client = useClient(id);
  return client ? <span>{client.name}</span> : null;
}
