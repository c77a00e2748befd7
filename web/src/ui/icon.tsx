// Small line drawings, 20 by 20.
const PATHS: Record<string, string> = {
  add: "M10 4v12M4 10h12",
  close: "M5 5l10 10M15 5L5 15",
  left: "M12.500 4.500L7 10l5.500 5.500",
  right: "M7.500 4.500L13 10l-5.500 5.500",
  up: "M4.500 12.500L10 7l5.500 5.500",
  down: "M4.500 7.500L10 13l5.500-5.500",
  minus: "M5 10h10",
  copy: "M7.500 7.500h8v8h-8zM12.500 7.500v-3h-8v8h3",
  link: "M8.500 11.500a3 3 0 0 0 4.300 0l2.400-2.400a3 3 0 0 0-4.300-4.300l-1 1M11.500 8.500a3 3 0 0 0-4.300 0l-2.400 2.400a3 3 0 0 0 4.300 4.300l1-1",
  layout: "M3.500 4h13v3.500h-13zM3.500 10.500h7v5.500h-7zM13.500 10.500h3v5.500h-3z",
  graph: "M5.500 7.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14.500 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8.500 16.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.500 5.900l5 .8M6.200 7.400l1.600 5.200M13.300 8.700l-3.600 4.300",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  menu: "M3.500 5.500h13M3.500 10h13M3.500 14.500h13",
  fit: "M4 7V4h3M16 7V4h-3M4 13v3h3M16 13v3h-3",
  bin: "M4 6h12M8 6V4h4v2M5.500 6l.7 10.500h7.600L14.500 6",
  check: "M4.500 10.500l3.500 3.500 7.500-8",
  warn: "M10 3.500L17.500 16.500h-15zM10 8v4M10 14.200v.1",
  file: "M5.500 3h6l3.500 3.500V17h-9.500zM11 3v4h4",
  upload: "M10 13V4M6.500 7.500L10 4l3.500 3.500M4 13v3h12v-3",
  sun: "M10 13.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM10 2.500v1.600M10 15.900v1.600M2.500 10h1.600M15.900 10h1.600M4.700 4.700l1.100 1.100M14.200 14.200l1.100 1.100M4.700 15.300l1.100-1.100M14.200 5.800l1.100-1.100",
  again: "M15.500 8A6 6 0 1 0 16 11M16 4v4h-4",
  side: "M3.500 4.500h13v11h-13zM8 4.500v11",
  sideRight: "M3.500 4.500h13v11h-13zM12 4.500v11",
  help: "M7.500 7.500a2.500 2.500 0 1 1 3.400 2.300c-.6.300-.9.700-.9 1.400v.6M10 14.600v.1",
  stop: "M6 6h8v8H6z",
  print: "M6 7V3.500h8V7M6 14H3.500V7h13v7H14M6 11.500h8v5H6z",
  send: "M10 16V4.500M5 9.500l5-5 5 5",
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
      <path d="M3.500 5.200C6.600 3.800 9.800 4 12 6c2.200-2 5.400-2.200 8.500-.8v13.600c-3.100-1.400-6.300-1.200-8.500.8-2.200-2-5.400-2.200-8.500-.8z" />
      <path d="M12 6v13.600" />
    </svg>
  );
}
