"""One page: its frames, scripts, navigation, dialogs, console, and the watchdog for hangs.

A page that does not answer is checked by `hang_watchdog`. CPU time decides whether it hangs, so a busy
machine does not make every page look stuck: a script that runs forever is interrupted, and a renderer that
neither answers nor works is killed. `script_sandbox` and `evaluate` run the scripts of callers, as far as
`policy.data.script_reach` allows.
"""
