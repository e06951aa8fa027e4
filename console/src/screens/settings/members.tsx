import { Badge, Button, NativeSelect } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, countItems, page } from '../../api.ts';
import { Icon } from '../../parts/icons.tsx';
import { List, type ListColumn, pageRows } from '../../parts/list.tsx';
import { Peek, usePeek } from '../../parts/peek.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { roleTexts } from '../../texts/roles.ts';
import { useTexts } from '../../texts/texts.ts';
import { InviteDialog } from './invite.tsx';
import { MemberPeek } from './member.tsx';
import { type Member, nameOf } from './member-data.ts';
import { memberRoles, type MemberSearch } from './member-search.ts';
import { memberTexts } from './member-texts.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { SettingsPage } from './settings-page.tsx';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

/** The members of the team. */
export function MembersPage(): JSX.Element {
  const { members: label } = useTexts(settingsTexts);
  const words = useTexts(memberTexts);
  const { peek } = usePeek();
  const manages = managesTeam(useClaims());
  const { q, role } = useSearch({ from: '/shell/settings/members' });
  const [isInviting, setInviting] = useState(false);
  return (
    <SettingsPage
      actions={
        manages && (
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )
      }
    >
      <Filters />
      <List
        label={label}
        queryKey={['member', 'list', 'page', { q, role }]}
        read={(cursor) => {
          const query = { q, role: role && [role], limit: pageRows, cursor };
          return page(api.GET('/api/v1/team/members', { params: { query, header: countItems } }));
        }}
        to={({ id }) => `/settings/members/${id}`}
        title={nameOf}
        peeks
        columns={useColumns(manages)}
        empty={
          q === undefined && role === undefined ? (
            <Empty title={words.none} />
          ) : (
            <Empty title={words.noHits} action={<Link to="/settings/members">{words.showAll}</Link>}>
              {words.noHitsText}
            </Empty>
          )
        }
      />
      <Peek label={words.preview}>{peek !== undefined && <MemberPeek key={peek} id={peek} />}</Peek>
      <InviteDialog isOpen={isInviting} close={() => setInviting(false)} />
    </SettingsPage>
  );
}

function useColumns(manages: boolean): ListColumn<Member>[] {
  const shared = useTexts(settingsTexts);
  const words = useTexts(memberTexts);
  const roles = useTexts(roleTexts);
  return [
    {
      header: shared.name,
      cell: (member) => (
        <span className={styles.named}>
          {nameOf(member)}
          {!member.isActive && (
            <Badge variant="light" color="red" radius="sm" tt="none" fw={500}>
              {words.suspended}
            </Badge>
          )}
        </span>
      ),
    },
    ...(manages ? [{ header: shared.email, cell: ({ email }: Member) => email, wide: true }] : []),
    { header: shared.role, cell: ({ role }) => roles[role], narrow: true },
    ...(manages
      ? [
          {
            header: words.secondFactor,
            cell: ({ twoFactorEnabled }: Member) => (twoFactorEnabled ? words.on : <span className="soft">{words.off}</span>),
            narrow: true,
            wide: true,
          },
        ]
      : []),
    { header: words.since, cell: ({ joinedAt }) => <Time at={joinedAt} />, narrow: true, wide: true },
  ];
}

function Filters(): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(memberTexts);
  const roles = useTexts(roleTexts);
  const navigate = useNavigate();
  const { role = '' } = useSearch({ from: '/shell/settings/members' });
  const filter = (change: { [Key in keyof MemberSearch]: MemberSearch[Key] | undefined }) =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, ...change, peek: undefined }), replace: true, resetScroll: false });
  return (
    <div className={styles.filters} role="search">
      <SearchField label={words.search} />
      <NativeSelect
        aria-label={shared.role}
        value={role}
        data={[{ value: '', label: words.anyRole }, ...memberRoles.map((value) => ({ value, label: roles[value] }))]}
        onChange={({ currentTarget: { value } }) => filter({ role: memberRoles.find((one) => one === value) })}
      />
    </div>
  );
}
