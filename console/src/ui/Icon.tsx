const paths = {
  yes: 'M3 8.5 6.5 12 13 4.5',
  no: 'M4 4l8 8M12 4l-8 8',
} as const;

/** Beside words that say the same: drawn, since not every font has these signs. */
export function Icon({ shape }: { shape: keyof typeof paths }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" style={{ verticalAlign: '-2px' }}>
      <path d={paths[shape]} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
