import { Badge } from '@mantine/core';
import type { JSX } from 'react';
import { statusTexts } from '../texts/status.ts';
import { useTexts } from '../texts/texts.ts';

type StatusOf = 'document' | 'workflow' | 'signature';
const isGood = new Set(['approved', 'signed', 'completed']);
const isBad = new Set(['rejected', 'declined', 'failed', 'expired', 'voided', 'cancelled']);

/** The state of a resource, in words. The colour repeats the words. */
export function Status({ of, status }: { of: StatusOf; status: string }): JSX.Element {
  const words: Readonly<Record<string, string>> = useTexts(statusTexts)[of];
  const color = isGood.has(status) ? 'green' : isBad.has(status) ? 'red' : 'gray';
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" fw={500} miw="max-content">
      {words[status] ?? status}
    </Badge>
  );
}
