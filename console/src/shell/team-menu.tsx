import { Menu, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, ok } from '../api.ts';
import { serviceAddress } from '../address.ts';
import { Icon } from '../parts/icons.tsx';
import { toast } from '../parts/toasts.tsx';
import { ApiProblem } from '../problems/api-problem.ts';
import { problemText } from '../problems/problem-text.ts';
import { session } from '../session/session.ts';
import { commonTexts } from '../texts/common.ts';
import { currentLanguage } from '../texts/language.ts';
import { useTexts } from '../texts/texts.ts';
import { Seal } from './seal.tsx';
import { useProfile, useTeams } from './person.ts';
import styles from './shell.module.css';
import { leave } from './shell.tsx';

/** The name of the team, with the other teams of the person and the sign-out. */
export function TeamMenu(): JSX.Element {
  const words = useTexts(commonTexts);
  const { data: teams = [] } = useTeams();
  const { data: profile } = useProfile();
  const switchTo = useSwitchTeam();
  const current = teams.find((team) => team.current);
  const others = teams.filter((team) => !team.current && team.status === 'active');
  const name = current?.name ?? '';
  return (
    <Menu position="bottom-start" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.team}>
          <Seal letter={name} />
          <span className={styles.teamName}>{name}</span>
          <span className="apart"> · {words.switchTeam}</span>
          <Icon name="down" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {profile && <Menu.Label>{profile.email}</Menu.Label>}
        {others.length > 0 && <Menu.Label>{words.switchTeam}</Menu.Label>}
        {others.map((team) => (
          <Menu.Item key={team.id} leftSection={<Icon name="people" />} onClick={() => void switchTo(team)}>
            {team.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" />} onClick={() => void leave()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Returns a function that opens another team in this tab. A team can ask for its own sign-in first. */
export function useSwitchTeam(): (team: { id: string; connectionId?: string }) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async ({ id, connectionId }) => {
    try {
      const { accessToken } = await ok(api.POST('/api/v1/security/auth/switch-team', { body: { teamId: id } }));
      session.use(accessToken);
      client.clear();
      await navigate({ to: '/' });
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'sso_required' && connectionId !== undefined) {
        const query = new URLSearchParams({ connectionId, returnTo: `${serviceAddress}/app/login` });
        return location.assign(`${serviceAddress}/api/v1/security/auth/sso/start?${query.toString()}`);
      }
      toast(await problemText(error, currentLanguage()), { isError: true });
    }
  };
}
