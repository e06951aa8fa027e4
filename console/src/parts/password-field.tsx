import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { JSX } from 'react';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

/** A field for a password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps): JSX.Element {
  const { showPassword } = useTexts(commonTexts);
  return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-label': showPassword, tabIndex: 0 }} />;
}
