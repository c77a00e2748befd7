// Small line drawings, 20 by 20.
const PATHS: Record<string, string> = {
  list: "M7.5 5.5h9M7.5 10h9M7.5 14.5h9M3.5 5.5h.1M3.5 10h.1M3.5 14.5h.1",
  search: "M8.8 14a5.2 5.2 0 1 0 0-10.400a5.200 5.200 0 0 0 0 10.400zM12.700 12.700l4 4",
  pages: "M4 3.500h5v6h-5zM11.500 3.500h5v6h-5zM4 12h5v4.500h-5zM11.500 12h5v4.500h-5z",
  clock: "M10 17a7 7 0 1 0 0-14a7 7 0 0 0 0 14zM10 6v4.200l2.800 1.700",
  pen: "M4 16l.8-3.400L13.500 3.900l2.600 2.600L7.400 15.200z",
  gear: "M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4a2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4a2 2 0 0 0 0 4z",
  add: "M10 4v12M4 10h12",
  close: "M5 5l10 10M15 5L5 15",
  left: "M12.5 4.5L7 10l5.5 5.5",
  right: "M7.5 4.5L13 10l-5.5 5.5",
  up: "M4.5 12.5L10 7l5.5 5.5",
  down: "M4.5 7.5L10 13l5.5-5.5",
  minus: "M5 10h10",
  copy: "M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3",
  link: "M8.5 11.5a3 3 0 0 0 4.3 0l2.4-2.4a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.4 2.4a3 3 0 0 0 4.3 4.3l1-1",
  layout: "M3.5 4h13v3.5h-13zM3.5 10.5h7v5.5h-7zM13.5 10.5h3v5.5h-3z",
  grid: "M3.5 4.5h13v11h-13zM3.5 8.5h13M8 4.5v11M12.2 4.5v11",
  graph: "M5.5 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14.5 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8.5 16.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.5 5.9l5 .8M6.2 7.4l1.6 5.2M13.3 8.7l-3.6 4.3",
  more: "M4 10a1 1 0 1 0 2 0a1 1 0 1 0-2 0M9 10a1 1 0 1 0 2 0a1 1 0 1 0-2 0M14 10a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
  menu: "M3.5 5.5h13M3.5 10h13M3.5 14.5h13",
  fit: "M4 7V4h3M16 7V4h-3M4 13v3h3M16 13v3h-3",
  bin: "M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6",
  check: "M4.5 10.5l3.5 3.5 7.5-8",
  warn: "M10 3.5L17.5 16.5h-15zM10 8v4M10 14.2v.1",
  file: "M5.5 3h6l3.5 3.5V17h-9.5zM11 3v4h4",
  upload: "M10 13V4M6.5 7.5L10 4l3.5 3.5M4 13v3h12v-3",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M4.7 15.3l1.1-1.1M14.2 5.8l1.1-1.1",
  again: "M15.5 8A6 6 0 1 0 16 11M16 4v4h-4",
  side: "M3.5 4.5h13v11h-13zM8 4.5v11",
  sideRight: "M3.5 4.5h13v11h-13zM12 4.5v11",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4v.6M10 14.6v.1",
  stop: "M6 6h8v8H6z",
  print: "M6 7V3.5h8V7M6 14H3.5V7h13v7H14M6 11.5h8v5H6z",
  sort: "M6 4v12M3 13l3 3 3-3M11 5h6M11 10h4.5M11 15h3",
  save: "M10 4v9M6.5 9.5L10 13l3.5-3.5M4 13v3h12v-3",
  send: "M10 16V4.5M5 9.5l5-5 5 5",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
      <path d={PATHS[name] ?? ""} />
    </svg>
  );
}

export function Brand() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" aria-hidden="true">
      <path d="M3.5 5.2C6.6 3.8 9.8 4 12 6c2.2-2 5.4-2.2 8.5-.8v13.6c-3.1-1.4-6.3-1.2-8.5.8-2.2-2-5.4-2.2-8.5-.8z" />
      <path d="M12 6v13.6" />
    </svg>
  );
}
