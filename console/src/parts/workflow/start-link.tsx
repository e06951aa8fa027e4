import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { Icon } from '../icons.tsx';
import { stepTexts } from './texts.ts';

/** Whether the person can start workflows. */
export function useMayStart(): boolean {
  const { scopes, role } = useClaims();
  return scopes.has('workflows:write') && !['viewer', 'guest', 'auditor'].includes(role);
}

/** Leads to the templates of workflows, from a document with that document. */
export function StartLink({ documentId, isMain = false }: { documentId?: string; isMain?: boolean }): JSX.Element | null {
  const words = useTexts(stepTexts);
  if (!useMayStart()) return null;
  return (
    <Button
      renderRoot={(props) => <Link {...props} to="/workflows/new" search={documentId === undefined ? {} : { document: documentId }} />}
      size="sm"
      variant={isMain ? 'filled' : 'default'}
      leftSection={<Icon name="workflow" size={18} />}
    >
      {words.start}
    </Button>
  );
}
