// Drawn on 16 x 16. Screen readers skip icons, so each needs a text beside it.

const PATHS = {
  open: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 5.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4Z",
  closed: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5 8.2l2.1 2.1L11 6.2",
  success: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5 8.2l2.1 2.1L11 6.2",
  failed: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5.7 5.7l4.6 4.6m0-4.6-4.6 4.6",
  running: "M8 1.5a6.5 6.5 0 1 0 6.5 6.5M8 4.5V8l2.5 1.5",
  pending: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM6.3 5.5v5m3.4-5v5",
  canceled: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM3.6 12.4l8.8-8.8",
  skipped: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5 5.5 7.5 8 5 10.5m4-5L11.5 8 9 10.5",
  unknown: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5.5 8h5",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  comment: "M2 3h12v8H7.5L4.5 13.8V11H2Z",
  lock: "M4 7.5h8v6H4Zm1.5 0V5a2.5 2.5 0 0 1 5 0v2.5",
  branch: "M4.5 5v6m0-6a1.6 1.6 0 1 0 0-3.2A1.6 1.6 0 0 0 4.5 5Zm0 6a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2ZM11.5 5.5a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2Zm0 0c0 3-7 2.5-7 5.5",
  tag: "M2.5 2.5h5l6 6-5 5-6-6ZM5.300 5.300h.01",
  rocket: "M9.5 11 5 6.5C6 3.5 9 1.8 14 2c.2 5-1.500 8-4.500 9ZM5 6.500H2.500L2 9l2.500.5M9.500 11v2.500L7 14l-.5-2.500M4 12l-1.500 1.500",
  calendar: "M2.500 3.500h11v10h-11Zm0 3h11M5.500 2v3m5-3v3",
  bell: "M3.500 11.500V7a4.500 4.500 0 0 1 9 0v4.500ZM2 11.500h12M6.500 13.500h3",
  plus: "M8 3v10M3 8h10",
  out: "M6.500 3.500h-3v9h9v-3M9 3.500h3.500V7M12.500 3.500 7.500 8.500",
};

export const Icon = ({ name }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={PATHS[name] ?? PATHS.unknown} />
  </svg>
);
