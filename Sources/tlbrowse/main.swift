print("tlbrowse")
