import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, page } from '../../../api.ts';
import { List, pageRows } from '../../../parts/list.tsx';
import { Section } from '../../../parts/section.tsx';
import { Empty } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import { providerOf } from './sso-data.ts';
import { ssoTexts } from './texts.ts';

/** The providers through which members sign in. */
export function SsoPage(): JSX.Element {
  const words = useTexts(ssoTexts);
  const connect = (
    <Button variant="default" renderRoot={(props) => <Link {...props} to="/settings/sso/new" />}>
      {words.connect}
    </Button>
  );
  return (
    <SettingsPage>
      <Section title={words.title} text={words.text} actions={connect}>
        <List
          label={words.title}
          queryKey={['sso', 'list']}
          read={(cursor) => page(api.GET('/api/v1/team/sso', { params: { query: { limit: pageRows, cursor } } }))}
          to={({ id }) => `/settings/sso/${id}`}
          title={(one) => providerOf(one)}
          columns={[
            { header: words.provider, cell: (one) => providerOf(one) },
            { header: words.protocol, cell: ({ kind }) => words.protocols[kind === 'saml' ? 'saml' : 'oidc'], wide: true },
            {
              header: words.domains,
              cell: ({ domains }) => words.verifiedOf(domains.filter(({ verified }) => verified).length, domains.length),
              wide: true,
            },
            {
              header: words.state,
              cell: ({ isActive, enforce }) => words.states[isActive ? (enforce ? 'enforced' : 'optional') : 'off'],
              narrow: true,
            },
            {
              header: words.lastUsed,
              cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? words.never : <Time at={lastUsedAt} />),
              narrow: true,
              wide: true,
            },
          ]}
          empty={<Empty title={words.none}>{words.noneText}</Empty>}
        />
      </Section>
    </SettingsPage>
  );
}
