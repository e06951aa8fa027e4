import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { Empty } from '../parts/states.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

/** Whether the part of a screen is missing, because the service has a newer version. */
const isOutdated = (error: unknown) => error instanceof TypeError && /dynamically imported module|Importing a module/i.test(error.message);

/** What replaces a screen that threw. */
export function RouteError({ error }: { error: unknown }): JSX.Element {
  const words = useTexts(commonTexts);
  return (
    <Empty
      title={isOutdated(error) ? words.newVersion : words.failed.title}
      action={<Button onClick={() => location.reload()}>{words.reload}</Button>}
    >
      {words.failed.text}
    </Empty>
  );
}
