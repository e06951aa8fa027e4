import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useClaims } from '../session/use-session.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icons.tsx';

type AskLinkProps = {
  documentId: string;
  /** The name of the document, if several are on the page. */
  name?: string;
  size?: 'compact-sm' | 'sm';
};

/** Leads from a document to its signature request, for people who may ask for signatures. */
export function AskLink({ documentId, name, size = 'sm' }: AskLinkProps): JSX.Element | null {
  const words = useTexts(commonTexts);
  const { scopes } = useClaims();
  if (!scopes.has('signatures:write')) return null;
  return (
    <Button
      renderRoot={(props) => <Link {...props} to="/signatures/new" search={{ document: documentId }} />}
      size={size}
      aria-label={name === undefined ? undefined : `${words.askForSignatures}: ${name}`}
      variant="default"
      leftSection={<Icon name="signature" size={18} />}
    >
      {words.askForSignatures}
    </Button>
  );
}
